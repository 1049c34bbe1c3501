#!/bin/sh
# The command: the installation's own Node, and the places of this installation where nobody says others.
: "${PLATEN_CONFIG:=/etc/platen/platen.json}" "${PLATEN_PLUGINS_DIR:=/usr/local/lib/platen}"
# The service's account, and nobody else, has the service's data folder.
if [ -z "${PLATEN_DATA_DIR-}" ] && [ -O /var/lib/platen ]; then PLATEN_DATA_DIR=/var/lib/platen; fi
export PLATEN_CONFIG PLATEN_PLUGINS_DIR
if [ -n "${PLATEN_DATA_DIR-}" ]; then export PLATEN_DATA_DIR; fi
exec /usr/lib/platen/node /usr/lib/platen/node_modules/@platen/server/bin/platen.cjs "$@"
