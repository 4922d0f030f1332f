#!/usr/bin/env bash
# Makes sure that what a test needs is there: install.sh chromium|display|nodejs ... On Debian and its kin it installs what is
# missing; elsewhere it says what to install.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin # where ldconfig is

has_library() { ldconfig -p | grep -q "$1"; }

has() {
	case $1 in
	chromium) command -v chromium || command -v chromium-browser || command -v google-chrome ;;
	display) command -v xvfb-run && command -v xauth && compgen -G '/usr/lib*/**/dri/*_dri.so' &&
		has_library libGL.so.1 && has_library libX11.so.6 && has_library libXcursor.so.1 && has_library libXi.so.6 &&
		has_library libXinerama.so.1 && has_library libXrandr.so.2 ;;
	nodejs) command -v node ;;
	*) echo "install.sh: unknown need $1" >&2 && exit 2 ;;
	esac >/dev/null
}

# The packages of Debian and Ubuntu for a need.
packages_for() {
	case $1 in
	chromium) echo chromium ;;
	display) echo xvfb xauth libgl1-mesa-dri libgl1 libx11-6 libxcursor1 libxi6 libxinerama1 libxrandr2 ;;
	nodejs) echo nodejs ;;
	esac
}

missing=()
for need in "$@"; do
	has "$need" || read -ra missing <<<"${missing[*]} $(packages_for "$need")"
done
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi

if ! command -v apt-get >/dev/null; then
	echo "Please install what Debian calls: ${missing[*]}" >&2
	exit 1
fi
sudo=
if [ "$(id -u)" -ne 0 ]; then sudo=sudo; fi
echo "installing ${missing[*]}"
$sudo apt-get update -qq
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
