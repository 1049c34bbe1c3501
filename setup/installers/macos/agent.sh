#!/bin/sh
# The service of one person, started by launchd with the person's session.
platen="/Library/Application Support/Platen/program/platen"
log="$HOME/Library/Logs/platen.log"
mkdir -p "$HOME/Library/Logs"
# One earlier log is kept: launchd rotates nothing.
if [ -f "$log" ] && [ "$(wc -c <"$log")" -gt 10000000 ]; then mv -f "$log" "$log.1"; fi
exec >>"$log" 2>&1
# A certificate is made once, with the person's first session. One that is missing or expired later stops the service,
# until the person removes it and installs a new one. To make it trusted takes the password: platen cert install.
made="$HOME/Library/Application Support/Platen/certificate-made"
[ -e "$made" ] || { "$platen" cert install --no-trust && : >"$made"; } || exit
# Compiled code of the last start.
export NODE_COMPILE_CACHE="$HOME/Library/Caches/Platen/node"
exec "$platen" serve
