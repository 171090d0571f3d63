#!/bin/sh
# Prints the Python to work with: the one of .venv if it still runs, else the
# system's. Written for sh because at this point nothing else can be relied on.
set -eu
cd "$(dirname "$0")/.."

recent='import sys; sys.exit(sys.version_info < (3, 11))'
found=''

# A version manager answers for Pythons that are not switched on, so each one is
# run and not just looked up. Newest last: a system's own python3 is the one whose
# packages (venv) come from the same place.
for candidate in "$PWD/.venv/bin/python" ${PYTHON:+"$PYTHON"} \
    python3 python3.11 python3.12 python3.13 python3.14 python3.15; do
    path="$(command -v "$candidate" 2>/dev/null)" || continue
    if "$path" -c "$recent" 2>/dev/null </dev/null; then
        printf '%s\n' "$path"
        exit 0
    fi
    found="${found:-$("$path" --version 2>&1 </dev/null || true)}"
done

case "$(uname -s)" in
Darwin) hint='brew install python' ;;
*) hint='sudo apt-get install -y python3 python3-venv' ;;
esac
# A broken .venv or a version manager may answer with a sentence of its own.
case "$found" in
"Python "[0-9]*) found=", gefunden wurde nur $found" ;;
*) found='' ;;
esac
echo "Gebraucht wird Python 3.11 oder neuer$found; bitte „$hint“ eingeben (oder mit PYTHON=/pfad/zu/python eines nennen) und den Befehl wiederholen." >&2
exit 1
