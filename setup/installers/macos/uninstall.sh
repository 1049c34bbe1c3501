#!/bin/sh
# Takes out what the package put in: sudo "/Library/Application Support/Platen/program/uninstall" [--data]
# --data: also the configuration, the plugins, and each person's data folder and log.
set -e
# Of another volume, such as a mounted disk, where it is given.
root=${PLATEN_VOLUME:-}
folder="$root/Library/Application Support/Platen"
if [ "$(id -u)" -ne 0 ]; then
  echo "Removing Platen needs administrator rights. Run: sudo \"$0\"" >&2
  exit 1
fi

for uid in $(ps -axo uid=,comm= | awk '/loginwindow/ { print $1 }' | sort -u); do
  launchctl bootout "gui/$uid/org.platen" 2>/dev/null || true
done
for home in "$root"/Users/*; do
  data="$home/Library/Application Support/Platen"
  [ -d "$data" ] || continue
  person=$(basename "$home")
  if [ -d "$data/certificate" ]; then
    # Of the person's keychain in the person's session, then of the system's.
    launchctl asuser "$(id -u "$person")" sudo -u "$person" "$folder/program/platen" cert remove ||
      PLATEN_DATA_DIR=$data "$folder/program/platen" cert remove ||
      echo "The certificate of $person is still trusted. Remove it in Keychain Access: localhost." >&2
  fi
  rm -rf "$home/Library/Caches/Platen"
  [ "$1" != --data ] || rm -rf "$data" "$home/Library/Logs/platen.log" "$home/Library/Logs/platen.log.1"
done
rm -f "$root/Library/LaunchAgents/org.platen.plist" "$root/usr/local/bin/platen"
rm -rf "$folder/program"
if [ "$1" = --data ]; then rm -rf "$folder"; fi
rmdir "$folder/plugins" "$folder" 2>/dev/null || true
pkgutil --forget org.platen.pkg >/dev/null 2>&1 || true
