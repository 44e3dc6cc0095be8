"""Made-up logs of a walk or two, as JSON Lines: what the campaign WalkFiles exports.

The same seed makes the same log. What a walk is made of is drawn: how often values come (1 to 10 a second),
whether there is a strap, positions and a pedometer, pauses, lost links, jumps of the receiver, marks with all
kinds of text, the zone, the time of the day, and how long it takes.
"""
import pathlib
import random
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Replays"))
from captures import STRAP, WATCH, Capture  # noqa: E402

MARKS = ["", "bridge", "=1+1", "@home", "a, \"b\"\nc", "<&>", "\u0001\u0007", "Füße 🦶", "-3", "+1", "\tx"]
ZONES = [0, 60, -300, 330, 345, 840, -720, -210]


class Log(Capture):
    """A log, and what is drawn of it."""

    def __init__(self, rng, wall, offset):
        super().__init__(wall=wall, offset=offset, zone="X")
        self.rng = rng
        self.count, self.metres = rng.randrange(60_000), 0.0
        self.place = [rng.uniform(-80, 80), rng.uniform(-179, 179)]
        self.begin(heart=False)


def walk(log, shape):
    """Appends a walk."""
    rng, end = log.rng, log.wall + shape["seconds"] * 1_000
    has_strap, has_track, has_watch = shape["strap"], shape["track"], shape["watch"]
    if has_strap:
        log.link_up()
    if has_watch:
        log.add("pedometerChosen", device=WATCH, stepsPerCadenceCount=1)
        count(log, 0)
    log.start()
    bpm, is_linked, is_paused = rng.randrange(60, 140), True, False
    left = 0  # Of a pause or an outage.
    turns = shape["turns"]
    while log.wall < end:
        log.wait(max(1, int(1_000 / shape["rate"]) + rng.randrange(-5, 6)))
        left -= 1
        if left <= 0 and is_paused:
            log.add("sessionResumed")
            is_paused = False
        elif left <= 0 and not is_linked:
            log.link_up()
            is_linked = True
        elif left <= 0 and rng.random() < turns:
            left = rng.randrange(1, 200)
            if rng.random() < 0.5:
                log.add("sessionPaused")
                is_paused = True
            elif has_strap:
                log.link_lost(cause="timeout")
                is_linked = False
        if rng.random() < 0.004:
            log.add("sessionMarked", text=rng.choice(MARKS))
        if has_strap and is_linked and rng.random() < 0.97:
            bpm = min(220, max(40, bpm + rng.randrange(-2, 3)))
            beats = [61_440 // bpm + rng.randrange(-30, 31) for _ in range(rng.choice([0, 1, 1, 2, 3]))]
            value = bytes([0x16, bpm]) + b"".join(beat.to_bytes(2, "little") for beat in beats)
            if rng.random() < 0.01:
                value = bytes([0x04, 0])  # No contact, and no heart rate.
            log.heart(value.hex())
        if has_watch and rng.random() < 1 / shape["rate"]:
            count(log, rng.choice([0, 1, 2, 2, 2, 3]))
        if has_track and rng.random() < 0.9 / shape["rate"]:
            fix(log, jumps=rng.random() < turns / 3)
    log.add("sessionEnded", reason="requested")
    if has_strap and is_linked:
        log.link_lost(cause="requested")


def count(log, steps):
    log.count += steps
    log.metres += 0.7 * steps
    log.counter(log.count, millimetres=int(1_000 * log.metres))


def fix(log, jumps):
    north, east = log.place
    log.place = [north + (0.01 if jumps else 1e-5 * log.rng.random()), east + 1e-5 * log.rng.random()]
    log.add(
        "positionFixed", latitudeE7=int(log.place[0] * 1e7), longitudeE7=int(log.place[1] * 1e7),
        altitudeMillimetres=log.rng.choice([None, 34_000 + log.rng.randrange(2_000), -12_345]),
        accuracyMillimetres=4_000, speedMillimetresPerSecond=1_400, satellites=9,
        fixedAtMilliseconds=log.wall - 300)


def made_up(seed):
    """The lines of a log with one walk, or two."""
    rng = random.Random(seed)
    offset = rng.choice(ZONES)
    # From 2024 on; every eighth walk goes over midnight.
    day = rng.randrange(19_800, 22_000) * 86_400_000
    hour = 86_400_000 - 120_000 if rng.random() < 0.125 else rng.randrange(86_400_000)
    log = Log(rng, day + hour - offset * 60_000, offset)
    log.add("adapterStateChanged", state="poweredOn", cause="switched", adapter="hci0")
    log.add("devicePaired", device=STRAP, name="Strap & \"One\" <1>", roles=1)
    log.add("primaryChosen", role="heart", device=STRAP)
    for _ in range(rng.choice([1, 1, 1, 2])):
        log.wait(rng.randrange(60_000))
        log.reconcile("start")
        length = 8 * 3_600 if seed % 500 == 499 else rng.choice([5, 60, 300, 300, 900])
        walk(log, dict(
            seconds=length, rate=1 if length > 900 else rng.choice([1, 1, 1, 2, 4, 10]),
            strap=rng.random() < 0.85, track=rng.random() < 0.7, watch=rng.random() < 0.8,
            turns=rng.choice([0, 0, 0.005, 0.02])))
    return log.text
