#!/bin/sh
# Started by a double click on a Mac: does what make run does, with uv instead of make, and opens the
# browser. The first time it needs the internet.
cd "$(dirname "$0")/.." || exit 1
PATH="$PATH:$HOME/.local/bin:/opt/homebrew/bin:/usr/local/bin"
if ! command -v uv >/dev/null; then
    echo "Bitte zuerst eintippen: brew install uv pango"
    echo "Please type first: brew install uv pango"
    exit 1
fi
exec uv run --quiet --no-project --python 3.13 --with-requirements requirements.txt \
    python -X utf8 -m romme_site open
