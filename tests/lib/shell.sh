# What ./run and ./tests/run share: asking apt, building the package, being quiet. To be sourced by bash.
export PATH=/usr/bin:/bin:/usr/sbin:/sbin # Debian's own tools, whatever else is installed
started=() started_dirs=()
clean_up() {
    local p
    for p in "${started[@]}"; do kill "$p" 2>/dev/null || true; done
    wait 2>/dev/null || true
    [ ${#started_dirs[@]} = 0 ] || rm -rf "${started_dirs[@]}"
}
trap clean_up EXIT

say() { printf '%s\n' "$@"; }
die() {
    printf '%s\n' "$@" >&2
    exit 1
}

wait_for() { # wait_for COMMAND...: at most 20 s
    local i
    for ((i = 0; i < 400; i++)); do
        "$@" >/dev/null 2>&1 && return
        sleep .05
    done
    die "waited in vain for: $*"
}

quietly() { # quietly WHAT COMMAND...: one line, and the end of the output only if it fails
    local what=$1 log
    shift
    log=$(mktemp)
    say "… $what"
    if ! "$@" >"$log" 2>&1 </dev/null; then
        tail -n 60 "$log" >&2
        rm -f "$log"
        die "failed: $what"
    fi
    rm -f "$log"
}

as_root_apt() { # as_root_apt WHAT ARGUMENT...
    local what=$1 root=()
    shift
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || die "$what needs root, and sudo is not installed. As root: apt-get $*"
        say "apt is called with sudo for $what."
        sudo -v
        root=(sudo)
    fi
    quietly "$what" "${root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 \
        apt-get -y -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0 "$@"
}

# install_build_dependencies PROFILES: what debian/control says, and only if something is missing
install_build_dependencies() {
    if command -v dpkg-checkbuilddeps >/dev/null && dpkg-checkbuilddeps -P "$1" 2>/dev/null; then
        return
    fi
    as_root_apt "reading the package lists" update
    as_root_apt "installing what is needed for building" --no-install-recommends -P "$1" build-dep ./
    command -v dpkg-buildpackage >/dev/null || as_root_apt "installing the package builder" --no-install-recommends install dpkg-dev
}

# build_package FOLDER PROFILES: the .deb lands in FOLDER; built from a copy, so that nothing is left in the tree
build_package() {
    rm -rf "$1/source" "$1"/ruckelfrei_* "$1"/ruckelfrei-dbgsym_*
    mkdir -p "$1/source"
    tar -c --exclude='./_build*' --exclude=./.git . | tar -x -C "$1/source"
    (
        cd "$1/source"
        export DEB_BUILD_OPTIONS=$2 DEB_BUILD_PROFILES=$2
        quietly "building the package" dpkg-buildpackage -b -us -uc
    )
    rm -rf "$1/source"
}
