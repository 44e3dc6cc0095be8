"""Prints the twenty tests that took longest, by the events that Swift Testing wrote to a file."""

import collections
import json
import sys

seconds = collections.Counter()
for line in open(sys.argv[1], encoding="utf-8"):
    event = json.loads(line)["payload"]
    # The cases of a test begin and end in any order: the sum of what they took is the same.
    sign = {"testCaseStarted": -1, "testCaseEnded": 1}.get(event["kind"])
    if sign:
        seconds[event["testID"]] += sign * event["instant"]["absolute"]
print("The slowest tests, in seconds, with several at a time:")
for test, took in seconds.most_common(20):
    print(f"{took:8.1f}  {test.rsplit('/', 1)[0]}")
