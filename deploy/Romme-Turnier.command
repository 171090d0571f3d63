#!/bin/sh
# For a double click on a Mac: does the same as make run, with the Python of uv, and opens the
# browser. Only the first run needs the internet.
cd "$(dirname "$0")/.." || exit 1
PATH="$PATH:$HOME/.local/bin:/opt/homebrew/bin:/usr/local/bin"
if ! .venv/bin/python -c "" 2>/dev/null; then
    if ! command -v uv >/dev/null; then
        echo "Bitte zuerst eintippen: brew install uv pango"
        echo "Please type first: brew install uv pango"
        exit 1
    fi
    uv venv --quiet --clear --seed --python 3.13 .venv || exit 1
fi
.venv/bin/python -m scripts.environment run && exec .venv/bin/python -X utf8 -m romme_site open
