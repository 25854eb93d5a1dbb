#!/bin/sh
# Makes .venv with exactly what requirements.lock pins, and chartgen itself, editable.
# Usage: tools/venv.sh [PYTHON]   without PYTHON, or with an empty one: the newest on PATH from 3.11 on
# Plain sh, because it has to say something useful where there is no Python at all. Exit status: 0 made, 3 cannot be made.
set -eu
cd "$(dirname "$0")/.."

refuse() {
    printf '%s\n' "$1" >&2
    exit 3
}

good() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

asked=${1:-}
if [ -n "$asked" ]; then
    set -- "$asked"
else
    set -- python3.14 python3.13 python3.12 python3.11 python3 python
fi
python=
for candidate in "$@"; do
    # Not only looked up but run: a version manager's stand-in is on PATH and runs nothing.
    if good "$candidate"; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ] && [ -n "$asked" ]; then
    refuse "$asked is not Python 3.11 or newer: name one that is, as in \"make PYTHON=python3.12\", or leave PYTHON out."
elif [ -z "$python" ]; then
    refuse "There is no Python 3.11 or newer on PATH: install one, or name it, as in \"make PYTHON=/opt/python3.12/bin/python3\"."
fi
"$python" -c 'import ensurepip, venv' 2>/dev/null ||
    refuse "$python cannot make a virtual environment: install its venv package (on Debian and Ubuntu: apt install python3-venv)."

mkdir -p .cache
printf 'Making .venv with %s, which takes about half a minute\n' "$("$python" --version)" >&2
"$python" -m venv --clear .venv
pip() {
    .venv/bin/python -m pip --disable-pip-version-check --quiet "$@" 2>.cache/pip.log ||
        refuse "The Python packages cannot be installed ($(grep -m 1 ERROR .cache/pip.log || tail -n 1 .cache/pip.log)): go online, or point pip at a mirror, and run make again; all that pip said is in .cache/pip.log."
}
pip install --retries 2 --require-hashes --requirement requirements.lock
pip install --no-deps --no-build-isolation --no-index --editable .
touch .venv/.made
