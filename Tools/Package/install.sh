#!/bin/sh
# Installs Pulselog from this folder, or removes it; what was recorded stays.
#
#   ./install.sh [--prefix FOLDER]            /usr/local for root, else ~/.local
#   ./install.sh --uninstall [--prefix FOLDER]
set -eu
umask 022

prefix=$HOME/.local
[ "$(id -u)" -ne 0 ] || prefix=/usr/local
uninstall=no
while [ $# -gt 0 ]; do
    case $1 in
    --prefix) prefix=${2:?} && shift ;;
    --uninstall) uninstall=yes ;;
    *)
        sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
        [ "$1" = --help ] && exit
        exit 64
        ;;
    esac
    shift
done
case $prefix in
[!/]* | *[\ \|\&\\%]*)
    echo "install.sh: --prefix takes an absolute path without spaces and without | & \\ %." >&2
    exit 64
    ;;
esac
cd "$(dirname "$0")"

# Where a user's service manager looks for units. Within the home, a service sees only what it is shown.
units=$prefix/lib/systemd/user
shown=
case $prefix in
"$HOME"/*)
    units=$prefix/share/systemd/user
    shown="BindReadOnlyPaths=$prefix/bin/pulselog"
    ;;
esac

# Each file of this folder, and where it goes.
place() {
    case $1 in
    lib/systemd/user/*) echo "$units/${1#lib/systemd/user/}" ;;
    share/zsh/vendor-completions/*) echo "$prefix/share/zsh/site-functions/${1##*/}" ;;
    *) echo "$prefix/$1" ;;
    esac
}

find bin lib share -type f | while read -r file; do
    at=$(place "$file")
    if [ $uninstall = yes ]; then
        rm -f "$at"
        continue
    fi
    mkdir -p "$(dirname "$at")"
    case $file in
    # A running program keeps its file.
    bin/*)
        cp "$file" "$at.new"
        chmod 755 "$at.new"
        mv "$at.new" "$at"
        ;;
    *.service) sed "s|^ExecStart=/usr/bin/pulselog.*|&\n$shown|;s|/usr/bin/pulselog|$prefix/bin/pulselog|" "$file" >"$at" ;;
    *) cp "$file" "$at" ;;
    esac
done
if [ $uninstall = yes ]; then
    rmdir "$units"/pulselog*.service.d "$prefix/share/doc/pulselog" 2>/dev/null || true
    echo "Removed from $prefix. What was recorded is where it was. A service that still runs is ended by"
    echo "systemctl --user disable --now pulselog.socket pulselog.service pulselog-record.service"
    exit
fi

echo "Installed in $prefix."
missing=$(ldd "$prefix/bin/pulselog" 2>&1 | sed -n '
    s/ => not found//p
    s/.*version .GLIBC_.* not found.*/ glibc 2.35 or later/p
    s/.*version .\(GLIBCXX\|CXXABI\)_.* not found.*/ libstdc++ of GCC 11 or later/p' | sort -u)
if [ -n "$missing" ]; then
    echo "These libraries are missing; install them with your distribution's tools:" >&2
    echo "$missing" >&2
    exit 69
fi
case :$PATH: in
*":$prefix/bin:"*) ;;
*) echo "Put $prefix/bin into your PATH." ;;
esac
