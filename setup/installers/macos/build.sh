#!/bin/sh
# Makes the package on a Mac, from the folder that `npm run installers -- pkg` made: ./build.sh
# SIGN_APPLICATION and SIGN_INSTALLER: names of Developer ID certificates. NOTARY_PROFILE: a profile that
# `xcrun notarytool store-credentials` stored. Without them the package is unsigned: macOS then asks before it opens it.
set -e
cd "$(dirname "$0")"
if [ "$(uname)" != Darwin ]; then
  echo "pkgbuild and productbuild exist on a Mac only." >&2
  exit 1
fi
version=$(cat version)
architecture=$(cat architecture)
package="platen-$version-$architecture.pkg"

helper=$(find payload -name platen-ica-helper -type f)
if [ -z "$helper" ]; then
  echo "Warning: the payload has no helper for Apple's scanners. Network scanners work without it." >&2
fi
if [ -n "$SIGN_APPLICATION" ]; then
  # Not the helper: its driver knows the hash of its bytes, and a signature changes them. It is signed where it is built.
  find payload -type f ! -name platen-ica-helper \( -perm -u+x -o -name '*.node' -o -name '*.dylib' \) |
    while IFS= read -r file; do
      case $(file -b "$file") in
      Mach-O*)
        codesign --force --options runtime --timestamp --entitlements entitlements.plist \
          --sign "$SIGN_APPLICATION" "$file"
        ;;
      esac
    done
fi
pkgbuild --root payload --scripts scripts --identifier org.platen.pkg --version "$version" --install-location / \
  --ownership recommended platen-component.pkg
productbuild --distribution distribution.xml --package-path . ${SIGN_INSTALLER:+--sign "$SIGN_INSTALLER"} "$package"
if [ -n "$NOTARY_PROFILE" ]; then
  xcrun notarytool submit "$package" --keychain-profile "$NOTARY_PROFILE" --wait
  xcrun stapler staple "$package"
fi
echo "$package"
