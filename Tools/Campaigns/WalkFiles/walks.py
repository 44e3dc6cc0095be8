"""Made-up logs of a walk or two, as JSON Lines: what the campaign WalkFiles exports.

The same seed makes the same log. What a walk is made of is drawn: how often values come (1 to 10 a second),
whether there is a strap, positions and a pedometer, pauses, lost links, jumps of the receiver, marks with all
kinds of text, the zone, the time of the day, and how long it takes.
"""
import json
import random

STRAP, WATCH = "C4:00:00:00:00:01", "C4:00:00:00:00:02"
MARKS = ["", "bridge", "=1+1", "@home", "a, \"b\"\nc", "<&>", "\u0001\u0007", "Füße 🦶", "-3", "+1", "\tx"]
ZONES = [0, 60, -300, 330, 345, 840, -720, -210]


class Log:
    """Lines, and the clock that stamps them."""

    def __init__(self, rng, wall, offset):
        self.rng, self.wall, self.offset = rng, wall, offset
        self.lines, self.now = [], 3_600_000
        self.steps, self.metres = rng.randrange(60_000), 0.0
        self.place = [rng.uniform(-80, 80), rng.uniform(-179, 179)]
        zone = dict(zoneOffsetMinutes=offset, zoneName="X")
        self.add("originBegan", cause="created", checkpoint=None)
        self.add("bootBegan", bootID="5f0c7d1a6b2e4c3d9a8b7c6d5e4f3a2b", **zone)
        self.add("recorderStarted", programVersion="0.1.0", **zone)
        self.reconcile("start")
        self.add(
            "profileChanged", heightMillimetres=1800, weightGrams=75000, dailyGoalSteps=8000,
            maximumHeartRateBPM=None, restingHeartRateBPM=None, zones="standard", stepsPerCadenceCount=1)

    def add(self, kind, **fields):
        event = dict(
            position=len(self.lines), source=0, bootMilliseconds=self.now,
            wallMilliseconds=self.wall + self.now, bootNumber=0, wallTrusted=True, simulated=False, kind=kind,
            version=1, **fields)
        self.lines.append(json.dumps(event, separators=(",", ":"), ensure_ascii=False))

    def reconcile(self, trigger):
        days = (self.wall + self.now + self.offset * 60_000) // 86_400_000
        year, month, day = civil(days)
        self.add(
            "reconciliationTriggered", trigger=trigger, healthTotal=None, validUntilMilliseconds=None,
            date=f"{year:04}-{month:02}-{day:02}", offsetMinutes=self.offset)


def civil(days):
    """Year, month and day of days since 1970."""
    days += 719_468
    era, rest = divmod(days, 146_097)
    year = (rest - rest // 1_460 + rest // 36_524 - rest // 146_096) // 365
    rest -= 365 * year + year // 4 - year // 100
    month = (5 * rest + 2) // 153
    return year + 400 * era + (month >= 10), (month + 2) % 12 + 1, rest - (153 * month + 2) // 5 + 1


def walk(log, shape):
    """Appends a walk."""
    rng, end = log.rng, log.now + shape["seconds"] * 1_000
    has_strap, has_track, has_watch = shape["strap"], shape["track"], shape["watch"]
    if has_strap:
        log.add("linkUp", device=STRAP, attempt=1, connectMilliseconds=540)
        log.add("subscribed", device=STRAP, characteristic="heartRateMeasurement")
    if has_watch:
        log.add("pedometerChosen", device=WATCH, stepsPerCadenceCount=1)
        count(log, 0)
    log.add(
        "sessionStarted", goalKind="none", goalTarget=0, outAndBack=False, heightMillimetres=1800,
        weightGrams=75000, dailyGoalSteps=8000, maximumHeartRateBPM=None, restingHeartRateBPM=None,
        zones="standard", stepsPerCadenceCount=1)
    bpm, is_linked, is_paused = rng.randrange(60, 140), True, False
    left = 0  # Of a pause or an outage.
    turns = shape["turns"]
    while log.now < end:
        log.now += max(1, int(1_000 / shape["rate"]) + rng.randrange(-5, 6))
        left -= 1
        if left <= 0 and is_paused:
            log.add("sessionResumed")
            is_paused = False
        elif left <= 0 and not is_linked:
            log.add("linkUp", device=STRAP, attempt=1, connectMilliseconds=540)
            log.add("subscribed", device=STRAP, characteristic="heartRateMeasurement")
            is_linked = True
        elif left <= 0 and rng.random() < turns:
            left = rng.randrange(1, 200)
            if rng.random() < 0.5:
                log.add("sessionPaused")
                is_paused = True
            elif has_strap:
                log.add("linkLost", device=STRAP, cause="timeout", reason=None)
                is_linked = False
        if rng.random() < 0.004:
            log.add("sessionMarked", text=rng.choice(MARKS))
        if has_strap and is_linked and rng.random() < 0.97:
            bpm = min(220, max(40, bpm + rng.randrange(-2, 3)))
            beats = [61_440 // bpm + rng.randrange(-30, 31) for _ in range(rng.choice([0, 1, 1, 2, 3]))]
            value = bytes([0x16, bpm]) + b"".join(beat.to_bytes(2, "little") for beat in beats)
            if rng.random() < 0.01:
                value = bytes([0x04, 0])  # No contact, and no heart rate.
            log.add(
                "characteristicNotified", device=STRAP, characteristic="heartRateMeasurement",
                value=value.hex())
        if has_watch and rng.random() < 1 / shape["rate"]:
            count(log, rng.choice([0, 1, 2, 2, 2, 3]))
        if has_track and rng.random() < 0.9 / shape["rate"]:
            fix(log, jumps=rng.random() < turns / 3)
    log.add("sessionEnded", reason="requested")
    if has_strap and is_linked:
        log.add("linkLost", device=STRAP, cause="requested", reason=None)


def count(log, steps):
    log.steps += steps
    log.metres += 0.7 * steps
    log.add(
        "pedometerRead", device=WATCH, form="counter", count=log.steps,
        distanceMillimetres=int(1_000 * log.metres))


def fix(log, jumps):
    north, east = log.place
    log.place = [north + (0.01 if jumps else 1e-5 * log.rng.random()), east + 1e-5 * log.rng.random()]
    log.add(
        "positionFixed", latitudeE7=int(log.place[0] * 1e7), longitudeE7=int(log.place[1] * 1e7),
        altitudeMillimetres=log.rng.choice([None, 34_000 + log.rng.randrange(2_000), -12_345]),
        accuracyMillimetres=4_000, speedMillimetresPerSecond=1_400, satellites=9,
        fixedAtMilliseconds=log.wall + log.now - 300)


def made_up(seed):
    """The lines of a log with one walk, or two."""
    rng = random.Random(seed)
    offset = rng.choice(ZONES)
    # From 2024 on; every eighth walk goes over midnight.
    day = rng.randrange(19_800, 22_000) * 86_400_000
    hour = 86_400_000 - 120_000 if rng.random() < 0.125 else rng.randrange(86_400_000)
    log = Log(rng, day + hour - offset * 60_000 - 3_600_000, offset)
    log.add("adapterStateChanged", state="poweredOn", cause="switched", adapter="hci0")
    log.add("devicePaired", device=STRAP, name="Strap & \"One\" <1>", roles=1)
    log.add("primaryChosen", role="heart", device=STRAP)
    for _ in range(rng.choice([1, 1, 1, 2])):
        log.now += rng.randrange(60_000)
        log.reconcile("start")
        length = 8 * 3_600 if seed % 500 == 499 else rng.choice([5, 60, 300, 300, 900])
        walk(log, dict(
            seconds=length, rate=1 if length > 900 else rng.choice([1, 1, 1, 2, 4, 10]),
            strap=rng.random() < 0.85, track=rng.random() < 0.7, watch=rng.random() < 0.8,
            turns=rng.choice([0, 0, 0.005, 0.02])))
    return log.lines
