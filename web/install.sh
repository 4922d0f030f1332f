#!/usr/bin/env bash
# Makes sure that what a test needs is there: install.sh chromium|xvfb|mesa|nodejs ... On Debian and its kin it installs
# what is missing; elsewhere it says what to install.
set -euo pipefail

# What each need is recognised by, and the package that Debian and Ubuntu have it in.
found() {
	case $1 in
	chromium) command -v chromium || command -v chromium-browser || command -v google-chrome ;;
	xvfb) command -v xvfb-run && command -v xauth ;;
	mesa) compgen -G '/usr/lib/*/dri/swrast_dri.so' || compgen -G '/usr/lib*/dri/swrast_dri.so' ;;
	nodejs) command -v node ;;
	*) echo "install.sh: unknown need $1" >&2 && exit 2 ;;
	esac >/dev/null
}

packages_of() {
	case $1 in
	chromium) echo chromium ;;
	xvfb) echo xvfb xauth ;;
	mesa) echo libgl1-mesa-dri libgl1 ;;
	nodejs) echo nodejs ;;
	esac
}

packages=()
for need in "$@"; do
	found "$need" || read -r -a more <<<"$(packages_of "$need")"
	packages+=("${more[@]:-}")
	more=()
done
packages=(${packages[@]})
if [ ${#packages[@]} -eq 0 ]; then exit 0; fi

if ! command -v apt-get >/dev/null; then
	echo "Please install what Debian calls: ${packages[*]}" >&2
	exit 1
fi
sudo=
if [ "$(id -u)" -ne 0 ]; then sudo=sudo; fi
echo "installing ${packages[*]}"
$sudo apt-get update -qq
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
