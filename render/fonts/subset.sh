#!/bin/sh
# Remakes the fonts in this folder from their published packages and the words in the tree.
# Needs npm, tar and Python's fontTools (Debian: npm python3-fonttools). Run it when the words files gain characters.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
upstream=$(mktemp -d)
trap 'rm -rf "$upstream"' EXIT

python=
for candidate in python3 /usr/bin/python3; do
	if "$candidate" -c 'import fontTools' 2>/dev/null; then python=$candidate; break; fi
done
if [ -z "$python" ]; then
	echo "fonts: Python's fontTools is missing (Debian: apt-get install python3-fonttools)" >&2
	exit 1
fi
command -v npm >/dev/null || { echo "fonts: npm is missing" >&2; exit 1; }

for package in inter@0.4.2 jetbrains-mono@0.4.1 noto-sans-sc@0.4.3; do
	name=${package%@*}
	mkdir "$upstream/$name"
	archive=$(cd "$upstream" && npm pack --silent "@expo-google-fonts/$package" | tail -n 1)
	tar -xzf "$upstream/$archive" -C "$upstream/$name" --strip-components=1
	cp "$upstream/$name/LICENSE_FONT" "$here/licenses/$name.txt"
done
"$python" "$here/subset.py" "$upstream" "$root"
