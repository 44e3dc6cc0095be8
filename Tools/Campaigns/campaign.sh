# shellcheck shell=bash
# What the campaigns that are scripts share. One names its options, their values unless given, and those of
# a sample; and sources this file:
#
#   usage='[--count N] [--seed N] [--keep] [--sample]'
#   count=100 seed=1
#   sample() { count=10; }
#   . "$(dirname "$0")/../campaign.sh"
#   take_options "$@"
#
# It is then in the repository's folder with its options set, and has
#
#   programs   the folder of the built programs: PROGRAMS, or the release build
#   folder     a temporary folder, removed at the end (kept with --keep)
#   children   processes that are killed at the end; add to it what is started
#
# `conclude` ends the campaign: exit code 1 if `find_fault` was called.
set -euo pipefail
campaign=${0##*/Campaigns/}
script=$PWD/$0
if [[ $0 == /* ]]; then script=$0; fi
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export TZ=UTC LC_ALL=C SWIFT_BACKTRACE=enable=no

# Ends with a sentence that isn't a finding.
give_up() { # exit code, words...
    local code=$1
    shift
    echo "$campaign: $*" >&2
    exit "$code"
}

# Sets the variable of each option, to its value or to yes.
take_options() {
    local name
    usage="usage: Tools/campaign $campaign $usage"
    if [[ " $* " == *" --help "* ]]; then
        echo "$usage"
        sed -n '2,/^usage=/s/^#\( \|$\)//p' "$script"
        exit
    fi
    # What is given besides has the last word.
    if [[ " $* " == *" --sample "* ]]; then sample; fi
    while (($# > 0)); do
        name=${1#--}
        if [[ $1 =~ ^--[a-z-]+$ && $usage == *"[$1]"* ]]; then
            printf -v "$name" yes
            shift
        elif [[ $1 =~ ^--[a-z-]+$ && $usage == *"[$1 "* ]] && (($# > 1)); then
            printf -v "$name" %s "$2"
            shift 2
        else
            give_up 64 "$usage"
        fi
    done
}

# Sets `programs`, in which these must be.
need_programs() { # names...
    local name
    programs=$(realpath --canonicalize-missing "${PROGRAMS:-.build/release}")
    for name in "$@"; do
        [[ -x $programs/$name ]] ||
            give_up 66 "no $programs/$name; run \`swift build -c release\`, or set PROGRAMS."
    done
}

# However this ends: what it started ends too, and FakeStrap with its bus.
clean_up() {
    local child
    for child in "${children[@]}"; do
        kill -KILL "$child" 2>/dev/null || true
        wait "$child" 2>/dev/null || true
    done
    stop_FakeStrap
    if [[ -n ${keep:-} ]]; then echo "kept: $folder"; else rm -rf "$folder"; fi
}

# Makes the temporary folder; from here on everything is cleaned up.
begin() {
    folder=$(mktemp -d)
    export XDG_STATE_HOME=$folder/state
    children=()
    : >"$folder/findings"
    trap clean_up EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

# Says what is wrong, and continues.
find_fault() { # words...
    # One line each: they are counted by lines.
    echo "$campaign: ${*//$'\n'/ }" | tee -a "$folder/findings" >&2
}

# Says what was done and how much was found, and ends.
conclude() { # words...
    local findings
    findings=$(wc -l <"$folder/findings")
    echo "$*: $findings findings"
    if ((findings > 0)); then exit 1; fi
    exit 0
}

# MARK: - Memory and time

# The memory of a process that is its own, in KiB; what is mapped of a log is the system's to take
# back.
memory() { # process
    awk '/^RssAnon/ { print $2 }' "/proc/$1/status" 2>/dev/null
}

# Runs a command, its output into a file: sets `status`, `seconds`, and `kilobytes`, the greatest
# memory that was seen.
measure() { # output, command...
    local output=$1 began=$EPOCHREALTIME child now
    shift
    "$@" >"$output" &
    child=$!
    children=("$child")
    kilobytes=0 status=0
    while now=$(memory "$child") && [[ -n $now ]]; do
        if ((now > kilobytes)); then kilobytes=$now; fi
        sleep 0.02
    done
    wait "$child" || status=$?
    children=()
    seconds=$(awk -v began="$began" -v ended="$EPOCHREALTIME" 'BEGIN { print ended - began }')
}

# Whether one decimal number is below another.
is_below() { # number, limit
    awk -v number="$1" -v limit="$2" 'BEGIN { exit !(number < limit) }'
}

# MARK: - FakeStrap

# Starts FakeStrap with a scenario, given as JSON, and makes its bus the system's bus.
start_FakeStrap() { # scenario, options...
    local ready
    printf '%s\n' "$1" >"$folder/scenario.json"
    shift
    coproc FakeStrap { exec "$programs/FakeStrap" --scenario "$folder/scenario.json" "$@"; }
    read -r ready <&"${FakeStrap[0]}"
    ready=${ready#*\"address\":\"}
    export DBUS_SYSTEM_BUS_ADDRESS=${ready%%\"*}
}

stop_FakeStrap() {
    if [[ -n ${FakeStrap_PID:-} ]]; then
        kill -TERM "$FakeStrap_PID" 2>/dev/null || true
        wait "$FakeStrap_PID" 2>/dev/null || true
    fi
}
