# TAP for the checks of the tree, to be sourced. Each check prints what is wrong; no output means all is well.
n=0 bad=0
check() { # check NAME COMMAND...
    local name=$1 out
    shift
    n=$((n + 1))
    out=$("$@" 2>&1)
    if [ -z "$out" ]; then
        echo "ok $n - $name"
    else
        bad=$((bad + 1))
        echo "not ok $n - $name"
        printf '%s\n' "$out" | sed 's/^/# /'
    fi
}
finish() {
    echo "1..$n"
    [ "$bad" = 0 ]
}
# C sources and headers of the tree, built things left out
c_files() { git ls-files -- "$@" 2>/dev/null | grep -E '\.[ch]$' || find "$@" -name '*.[ch]'; }
none() { ! grep -nE "$@" && return 0; } # prints the lines that must not be there
