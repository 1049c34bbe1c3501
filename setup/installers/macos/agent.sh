#!/bin/sh
# The service of one person, started by launchd with the person's session.
platen="/Library/Application Support/Platen/program/platen"
log="$HOME/Library/Logs/platen.log"
mkdir -p "$HOME/Library/Logs"
# One earlier log is kept: launchd rotates nothing.
if [ -f "$log" ] && [ "$(wc -c <"$log")" -gt 10000000 ]; then mv -f "$log" "$log.1"; fi
exec >>"$log" 2>&1
# Keeps a valid certificate. To make it trusted takes the person's password: platen cert install.
"$platen" cert install --no-trust || exit
exec "$platen" serve
