# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# setup.sh - what contrib/try and contrib/check share: missing packages, and the build.

# Debian's names of what a build needs, and of what only tests use.
build_packages="gcc libc6-dev make autoconf automake autoconf-archive pkg-config
    libfuse3-dev fuse3 libcjson-dev check"
test_packages="python3 python3-numpy procps"
# Tests for other CPUs; skipped without.
cross_packages="qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross"

die() {
    echo "${0##*/}: $1" >&2
    exit 1
}

# words WORD…: a command as it can be given to a shell.
words() {
    separator=
    for word in "$@"; do
        case $word in
        '' | *[!A-Za-z0-9%+,./:@_-]*)
            word="'$(printf '%s\n' "$word" | sed "s/'/'\\\\''/g")'" ;;
        esac
        printf '%s%s' "$separator" "$word"
        separator=' '
    done
}

# The comment at the top of the script, to whoever asks for help.
help() {
    sed -n '3,/^[^#]/s/^#\( \|$\)//p' "$0"
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "needs root or sudo for: $(words "$@")"
    fi
}

is_installed() {
    case $(dpkg-query -W -f '${Status}' "$1" 2>/dev/null) in
    *" installed") return 0 ;;
    esac
    # pkg-config is a name that pkgconf bears too.
    [ "$1" = pkg-config ] && command -v pkg-config >/dev/null
}

apt_install() {
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "$@" >&2
}

# need_packages NAME…: installs those that are not there.
need_packages() {
    missing=
    for package in "$@"; do
        is_installed "$package" || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    command -v apt-get >/dev/null || die "no apt-get here; this is what ggfs needs:$missing"
    echo "installing:$missing" >&2
    # shellcheck disable=SC2086
    apt_install $missing && return 0
    # Often all that is wrong is a list of packages that is old or not there yet.
    as_root apt-get update -q >&2
    # shellcheck disable=SC2086
    apt_install $missing || die "cannot install:$missing"
}

# build FOLDER [OPTION…]: configures into FOLDER (once for the same options) and builds.
build() {
    folder=$1
    shift
    [ ! -f "$top/config.status" ] ||
        die "$top is configured itself: make distclean there first"
    [ -x "$top/configure" ] || (cd "$top" && autoreconf -i) >&2 || exit 1
    mkdir -p "$folder" && cd "$folder" || exit 1
    if [ ! -f Makefile ] || [ "$(cat options 2>/dev/null)" != "$*" ]; then
        "$top/configure" -q "$@" >&2 || exit 1
        echo "$*" >options
    fi
    make -s -j"$(nproc)" >&2 || exit 1
}
