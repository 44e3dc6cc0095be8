"""How long the page takes to draw a heat-map over a long track: from the choice until it has been
painted, each type several times. Prints the median and the longest in milliseconds.

    Tests/Browser/check_page heat [POINTS]      10,000 points with as many samples unless told
"""

import json
import math
import os
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from program import Program

ROUNDS = 7

# Chooses a type, and waits until the frame in which it was drawn has been painted.
CHOOSE = """async (type) => {
    const select = document.querySelector(".heat select");
    select.value = type;
    const begin = performance.now();
    select.dispatchEvent(new Event("change"));
    await new Promise((done) => requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = done;
        port2.postMessage(null);
    }));
    return performance.now() - begin;
}"""


def capture(points):
    """A log of one walk: each second a fix along a spiral, a sample, and a reading of steps."""
    replays = Path(os.environ["REPLAYS"])
    lines = [json.loads(line) for case in ("track", "ordinary-walk")
             for line in (replays / case / "capture.jsonl").read_text().splitlines()]

    def first(kind):
        return next(line for line in lines if line["kind"] == kind)

    begin = lines.index(first("positionFixed"))
    made = [line for line in lines[:begin] if line["kind"] != "pedometerRead"]
    start = made[-1]

    def add(kind, second, **more):
        clocks = {key: start[key] + second * 1000
                  for key in ("bootMilliseconds", "wallMilliseconds")}
        made.append(first(kind) | clocks | {"position": len(made)} | more)

    for second in range(points):
        turn = second / 900
        add("positionFixed", second,
            latitudeE7=480_000_000 + round(second * 8 * math.sin(turn)),
            longitudeE7=110_000_000 + round(second * 12 * math.cos(turn)),
            altitudeMillimetres=520_000 + round(40_000 * math.sin(second / 1200)),
            fixedAtMilliseconds=start["wallMilliseconds"] + second * 1000)
        bpm = round(125 + 65 * math.sin(second / 700))
        beat = round(61_440 / bpm)
        add("characteristicNotified", second, value=bytes(
            [0x16, bpm, *(beat + second % 9).to_bytes(2, "little")]).hex())
        add("pedometerRead", second, value=(second * 2).to_bytes(4, "little").hex())
    add("sessionEnded", points)
    add("recorderStopped", points)
    return "".join(json.dumps(line) + "\n" for line in made)


def measure(points):
    """The milliseconds of each round, by type."""
    program = Program()
    try:
        path = program.folder / "walk.jsonl"
        path.write_text(capture(points))
        program.run("import", str(path))
        program.start()
        session = json.loads(program.run("sessions", "show", "--json"))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"])
            page = browser.new_page()
            page.goto(program.address)
            page.goto(f"{program.origin}/#/walks/{session['position']}")
            page.locator(".heat select").wait_for()
            found = {}
            for option in page.locator(".heat option:not([disabled])").all():
                key = option.get_attribute("value")
                found[key] = sorted(page.evaluate(CHOOSE, key) for _ in range(ROUNDS))
            browser.close()
        return len(session["track"]), len(session["samples"]), len(session["heatMap"]), found
    finally:
        program.remove()


def main():
    points, samples, segments, found = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    print(f"{points} points, {samples} samples, {segments} segments")
    for key, times in found.items():
        print(f"{key:12} median {times[len(times) // 2]:.0f} ms, longest {times[-1]:.0f} ms")


if __name__ == "__main__":
    main()
