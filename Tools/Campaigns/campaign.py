"""What the campaigns that are Python scripts share: their options, and the program they run."""
import argparse
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ.get("PROGRAMS", ROOT / ".build/release"))
PULSELOG = (PROGRAMS / "pulselog").resolve()


def parser(words, count, sample):
    """The options of a campaign that tries `count`, or with --sample `sample`."""
    made = argparse.ArgumentParser(
        description=words, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    made.add_argument("--count", type=int, help=f"how many are tried: {count}, or {sample} of a sample")
    made.add_argument("--seed", type=int, default=1, help="which ones")
    made.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at the same time")
    made.add_argument("--sample", action="store_true", help="a small part of the work")
    made.set_defaults(counts=(sample, count))
    return made


def parsed(made):
    """The options that were given; ends with a sentence if there is no program."""
    options = made.parse_args()
    if options.count is None:
        options.count = options.counts[0 if options.sample else 1]
    if not PULSELOG.exists():
        sys.exit(f"{made.prog}: no {PULSELOG}; run `swift build -c release`, or set PROGRAMS.")
    return options


def with_packages():
    """Becomes the same program with the packages of Tools/requirements.txt."""
    if pathlib.Path(sys.prefix).resolve() != (ROOT / ".build/python").resolve():
        python = str(ROOT / "Tools/python")
        os.execv(python, [python, *sys.argv])
