#!/bin/sh
# The command: the installation's own Node, and the places of this installation where nobody says others.
: "${PLATEN_CONFIG:=/etc/platen/platen.json}" "${PLATEN_PLUGINS_DIR:=/usr/local/lib/platen}"
export PLATEN_CONFIG PLATEN_PLUGINS_DIR
exec /usr/lib/platen/node /usr/lib/platen/node_modules/@platen/server/bin/platen.cjs "$@"
