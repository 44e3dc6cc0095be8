"""Runs all tests: each class in one of several processes, those first that take longest. What a
class says stands together."""

import io
import multiprocessing
import sys
import time
import unittest
from pathlib import Path

# They mostly wait: a lost link for ten seconds, a restart to be noticed.
AT_ONCE = 4


def classes(suite):
    """The classes of the tests in a suite."""
    if isinstance(suite, unittest.TestSuite):
        return set().union(*map(classes, suite))
    return {type(suite)}


def run(one):
    """Runs a class; returns whether it passed, what it says, and how long it took."""
    output, begin = io.StringIO(), time.monotonic()
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(one)
    result = unittest.TextTestRunner(output, verbosity=2).run(suite)
    took = f"{one.__qualname__} {time.monotonic() - begin:.0f} s"
    return result.wasSuccessful(), output.getvalue(), took


def main():
    found = classes(unittest.defaultTestLoader.discover(str(Path(__file__).parent)))
    if unittest.defaultTestLoader.errors:
        sys.exit("\n".join(unittest.defaultTestLoader.errors))
    failed = []
    with multiprocessing.Pool(AT_ONCE) as pool:
        for passed, words, name in pool.imap_unordered(
                run, sorted(found, key=lambda one: (-one.seconds, one.__qualname__))):
            print(words, name, sep="", flush=True)
            if not passed:
                failed.append(name)
        pool.close()
        pool.join()
    sys.exit(f"check_page: these failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
