"""From a strap's notification to the eye: how long it takes until the heart card of the page has
been painted with a new value, and until the screen of `pulselog record` has been written with it.
Prints the half, the 99th percentile and the longest in milliseconds.

    Tests/Browser/check_page latency [VALUES]          200 values, five a second, or fewer
"""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

from pages import Browser, wait_until
from program import Program, Straps, end_with_parent
from scenarios import STRAP, heard, strap

# The frame in which the value was changed has been painted when a message that was posted in its
# animation callback is delivered.
WATCH = """() => {
    const number = document.querySelector(".pulse .num");
    globalThis.shown = [];
    new MutationObserver(() => {
        const text = number.textContent;
        requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () =>
                shown.push([text, performance.timeOrigin + performance.now()]);
            port2.postMessage(null);
        });
    }).observe(number, { childList: true, characterData: true, subtree: true });
}"""


def boot_offset():
    """What to take off the wall clock to get the boot clock, both in milliseconds."""
    return (time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)) * 1000


def sent_values(straps):
    """When each value was sent, by the boot clock."""
    lines = [json.loads(line) for line in straps.sent.read_text().splitlines()]
    return [(int(line["value"][2:4], 16), line["t"]) for line in lines
            if line["characteristic"] == "2a37" and line["delivered"]]


def delays(sent, shown):
    """For each value that was shown how long it had been under way."""
    found, first = [], 0
    for text, moment in shown:
        for index in range(first, len(sent)):
            value, told = sent[index]
            if str(value) == text and 0 <= moment - told + 1 < 20_000:
                found.append(moment - told)
                first = index + 1
                break
    return sorted(found)


def play(values):
    """A strap whose values differ each from the one before."""
    return Straps(heard(strap([{"stream": "counter", "count": values, "rate": 5}])))


def on_page(values):
    """Plays the strap, watches the card, and returns what was sent and what was shown."""
    straps = play(values)
    program = Program(straps)
    try:
        program.start()
        program.begin(STRAP)
        page = Browser.get().new_page()
        page.goto(program.address)
        page.locator(".pulse .num").wait_for()
        page.evaluate(WATCH)
        # FakeStrap counts: the last value is how many there are.
        wait_until(page, "(last) => shown.at(-1)?.[0] === last", str(values))
        shown, offset = page.evaluate("shown"), boot_offset()
        return sent_values(straps), [(text, moment - offset) for text, moment in shown]
    finally:
        program.remove()
        straps.stop()


def in_terminal(values):
    """Plays the strap, reads what `record` writes to a terminal, and returns both."""
    straps = play(values)
    program = Program(straps)
    own, other = pty.openpty()
    fcntl.ioctl(own, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    record = subprocess.Popen(
        [os.environ["PULSELOG"], "record"], stdin=other, stdout=other, stderr=other,
        env=program.environment | {"TERM": "xterm-256color"}, preexec_fn=end_with_parent)
    os.close(other)
    shown = []
    try:
        while not shown or shown[-1][0] != str(values):
            text = os.read(own, 1 << 16).decode(errors="replace")
            moment = time.clock_gettime(time.CLOCK_BOOTTIME) * 1000
            text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
            shown += [(value, moment) for value in re.findall(r"(\d+) BPM", text)]
        return sent_values(straps), shown
    finally:
        record.send_signal(signal.SIGTERM)
        while select.select([own], [], [], 5)[0]:
            try:
                os.read(own, 1 << 16)
            except OSError:
                break
        record.wait(20)
        os.close(own)
        program.remove()
        straps.stop()


def tell(where, sent, shown):
    """Prints the figures of one way."""
    found = delays(sent, shown)
    if not found:
        sys.exit(f"latency: no value was seen {where}")

    def at(share):
        return found[min(len(found) - 1, int(share * len(found)))]

    print(f"{where}: p50 {at(.5):.0f} ms, p99 {at(.99):.0f} ms, longest {found[-1]:.0f} ms; "
          f"{len(found)} of {len(sent)} values seen", flush=True)


def main():
    values = min(200, int(sys.argv[1]) if len(sys.argv) > 1 else 200)
    tell("on the page", *on_page(values))
    tell("in the terminal", *in_terminal(values))


if __name__ == "__main__":
    main()
