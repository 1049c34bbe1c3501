#!/bin/sh
# The command: the installation's own Node, and the places of this installation where nobody says others.
folder="/Library/Application Support/Platen"
: "${PLATEN_CONFIG:=$folder/platen.json}" "${PLATEN_PLUGINS_DIR:=$folder/plugins}"
export PLATEN_CONFIG PLATEN_PLUGINS_DIR
exec "$folder/program/node" "$folder/program/node_modules/@platen/server/bin/platen.cjs" "$@"
