# Sourced by the scripts beside it: makes .venv in the clone with the versions of constraints.txt, or, where these
# two variables say so after it was sourced, EEC_VENV with the versions of EEC_PINS.
#
#   make_venv EXTRAS     e.g. make_venv demo,plot
#
# The environment is made once and used again until pyproject.toml, the versions, the extras, the Python
# or the place of the clone change. Nothing outside the clone is written except package caches.

EEC_ROOT=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
EEC_VENV="$EEC_ROOT/.venv"
EEC_PINS="$EEC_ROOT/constraints.txt"
# What developing needs; scripts/test and scripts/lint share it.
EEC_DEV_EXTRAS="dev,demo,plot${EEC_TEST_EXTRAS:+,$EEC_TEST_EXTRAS}"

find_python() {
    for candidate in "${EEC_PYTHON:-}" python3.11 python3.12 python3.13 python3.14 python3 python; do
        [ -n "$candidate" ] || continue
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            command -v -- "$candidate"
            return 0
        fi
    done
    echo "No Python 3.11 or later was found. Install one, or name it: EEC_PYTHON=/path/to/python3 $0" >&2
    return 1
}

# Two lines: one for the environment itself (place of the clone, Python), one for what is installed in it.
stamp_of() {
    "$2" - "$EEC_ROOT" "$1" "$EEC_ROOT/pyproject.toml" "$EEC_PINS" <<'PY'
import hashlib, pathlib, sys
root, extras, *files = sys.argv[1:]
texts = [pathlib.Path(name).read_text(encoding="utf-8") for name in files]
for parts in ([root, sys.version], [extras, *texts]):
    print(hashlib.sha256("\0".join(parts).encode()).hexdigest())
PY
}

pip_install() {
    "$EEC_VENV/bin/python" -m pip install --disable-pip-version-check --no-compile -q -c "$EEC_PINS" "$@"
}

# On all cores, which pip does on one; without the tests of the packages, and whatever is not Python 3 stays as it is.
compile_installed() {
    "$EEC_VENV/bin/python" -m compileall -qq -j 0 -x 'site-packages/.*/tests?/' "$EEC_VENV/lib" || true
}

make_venv() {
    eec_base=$(find_python) || return 1
    eec_stamp=$(stamp_of "$1" "$eec_base") || return 1
    eec_place=$(printf '%s\n' "$eec_stamp" | head -n 1)
    if [ "$(head -n 1 "$EEC_VENV/place" 2>/dev/null)" = "$eec_place" ] && "$EEC_VENV/bin/python" -c '' 2>/dev/null; then
        if [ "$(cat "$EEC_VENV/stamp" 2>/dev/null)" = "$eec_stamp" ]; then return 0; fi
    else
        # Replaced, not fixed: an environment does not survive a move or another Python.
        if ! "$eec_base" -m venv --clear "$EEC_VENV"; then
            echo "Python's venv module is missing or broken. On Debian: apt-get install python3-venv" >&2
            return 1
        fi
        printf '%s\n' "$eec_place" >"$EEC_VENV/place"
    fi
    echo "Installing the versions of ${EEC_PINS#"$EEC_ROOT/"} into ${EEC_VENV#"$EEC_ROOT/"} (extras: $1)." \
        "The first time takes minutes." >&2
    rm -f "$EEC_VENV/stamp"
    # What is built here, this project and packages that exist only as source, is built without isolation: with
    # the tools of these versions, which therefore come first.
    pip_install hatchling editables setuptools wheel || return 1
    pip_install --no-build-isolation -e "$EEC_ROOT[$1]" || return 1
    compile_installed
    printf '%s\n' "$eec_stamp" >"$EEC_VENV/stamp"
}

# Called after make_venv: from here on caches, settings and temporary files stay in the clone.
stay_inside() {
    HF_HOME="$EEC_VENV/cache/huggingface"
    MPLCONFIGDIR="$EEC_VENV/cache/matplotlib"
    XDG_CACHE_HOME="$EEC_VENV/cache"
    export HF_HOME MPLCONFIGDIR XDG_CACHE_HOME
    # Sockets live in the temporary folder too, and their paths may not exceed 107 bytes.
    if [ "${#EEC_VENV}" -le 60 ]; then
        mkdir -p "$EEC_VENV/tmp"
        TMPDIR="$EEC_VENV/tmp"
        export TMPDIR
    fi
}
