"""Logs that are made up, as the log's JSON Lines; the same calls write the same bytes."""
import datetime
import json
import random

STRAP = "C4:00:00:00:00:01"
WATCH = "C4:00:00:00:00:02"
POD = "C4:00:00:00:00:03"
OTHER_STRAP = "C4:00:00:00:00:04"
MOVED_STRAP = "7A:11:22:33:44:55"
MORNING = 1_772_355_600_000  # 2026-03-01T09:00:00Z
BOOT = 3_600_000
PROFILE = dict(
    heightMillimetres=1_800, weightGrams=75_000, dailyGoalSteps=8_000, maximumHeartRateBPM=None,
    restingHeartRateBPM=None, zones="standard", stepsPerCadenceCount=1)


class Capture:
    """A log that is being written, with the two clocks."""

    def __init__(self, wall=MORNING, boot=BOOT, offset=60, zone="CET"):
        self.lines = []
        self.boot = boot
        self.wall = wall
        self.boot_number = 0
        self.offset = offset
        self.zone = zone
        self.trusted = True
        self.simulated = False
        self.began = wall

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    def wait(self, milliseconds):
        self.boot += milliseconds
        self.wall += milliseconds

    def at(self, milliseconds):
        """Goes on so long after the first moment of the log."""
        self.wait(self.began + milliseconds - self.wall)

    def add(self, kind, version=1, **fields):
        """Appends an event, and returns its position."""
        envelope = {
            "position": len(self.lines),
            "source": 0,
            "bootMilliseconds": self.boot,
            "wallMilliseconds": self.wall,
            "bootNumber": self.boot_number,
            "wallTrusted": self.trusted,
            "simulated": self.simulated,
            "kind": kind,
            "version": version,
        }
        self.lines.append(
            json.dumps({**envelope, **fields}, separators=(",", ":"), ensure_ascii=False))
        return envelope["position"]

    @property
    def date(self):
        days = (self.wall + self.offset * 60_000) // 86_400_000
        return str(datetime.date(1970, 1, 1) + datetime.timedelta(days=days))

    # What a recorder writes.

    def begin(self, boot_id="5f0c7d1a6b2e4c3d9a8b7c6d5e4f3a2b", devices=(), heart=True):
        zone = dict(zoneOffsetMinutes=self.offset, zoneName=self.zone)
        if not self.lines:
            self.add("originBegan", cause="created", checkpoint=None)
        self.add("bootBegan", bootID=boot_id, **zone)
        self.add("recorderStarted", programVersion="0.1.0", **zone)
        self.reconcile("start")
        self.add("profileChanged", **PROFILE)
        for device in devices:
            roles = 2 if device == POD else 4
            self.add("devicePaired", device=device, name="Footstep", roles=roles)
            self.add("primaryChosen", role="pedometer", device=device)
            self.add(
                "pedometerChosen", device=device, stepsPerCadenceCount=2 if device == POD else 1)
        if heart:
            self.add("adapterStateChanged", state="poweredOn", cause="switched", adapter="hci0")
            self.add("deviceSeen", device=STRAP, name="Strap One", rssi=-58, roles=1)
            self.add("devicePaired", device=STRAP, name="Strap One", roles=1)
            self.add("primaryChosen", role="heart", device=STRAP)
            self.link_up()
            for code, value in (
                ("bodySensorLocation", "01"),
                ("manufacturerName", "Walk Works".encode().hex()),
                ("batteryLevel", "57"),
            ):
                self.add("characteristicRead", device=STRAP, characteristic=code, value=value)

    def link_up(self, device=STRAP, code="heartRateMeasurement", milliseconds=540):
        self.add("linkUp", device=device, attempt=1, connectMilliseconds=milliseconds)
        self.wait(300)
        self.add("subscribed", device=device, characteristic=code)

    def link_lost(self, device=STRAP, cause="unknown", reason=None):
        self.add("linkLost", device=device, cause=cause, reason=reason)

    def start(self, kind="none", target=0):
        return self.add("sessionStarted", goalKind=kind, goalTarget=target, outAndBack=False, **PROFILE)

    def end(self):
        self.add("sessionEnded", reason="requested")
        self.add("recorderStopped", reason="requested")

    def move_to_zone(self, offset, zone):
        """The walker's zone is another one from now on."""
        self.add("zoneOffsetChanged", fromMinutes=self.offset, toMinutes=offset, zoneName=zone)
        self.offset, self.zone = offset, zone

    def restart(self, boot_id=None):
        """A recorder starts on a log that is there, after a boot if one is given."""
        zone = dict(zoneOffsetMinutes=self.offset, zoneName=self.zone)
        if boot_id:
            self.add("bootBegan", bootID=boot_id, **zone)
        self.add("recorderStarted", programVersion="0.1.0", **zone)
        self.reconcile("start")

    def reconcile(self, trigger, total=None, until=None):
        self.add(
            "reconciliationTriggered", trigger=trigger, healthTotal=total,
            validUntilMilliseconds=until, date=self.date, offsetMinutes=self.offset)

    def report(self, total, origin="phone", until=None):
        """A health store says how many steps the day has."""
        self.add(
            "healthTotalObserved", date=self.date, total=total, validUntilMilliseconds=until,
            origin=origin)
        self.reconcile("observer", total, until)

    # What devices send.

    def heart(self, value, device=STRAP, lasting=0):
        """A strap's value, and how long it takes until what comes after it, in milliseconds."""
        self.add(
            "characteristicNotified", device=device, characteristic="heartRateMeasurement",
            value=value)
        self.wait(lasting)

    def bpm(self, bpm, rr=(), flags=0x16, wide=False, energy=None, device=STRAP, lasting=0):
        flags = (flags | 0x10 if rr else flags & ~0x10) | (1 if wide else 0)
        flags |= 0 if energy is None else 0x08
        value = bytes([flags]) + bpm.to_bytes(2 if wide else 1, "little")
        value += b"" if energy is None else energy.to_bytes(2, "little")
        self.heart((value + b"".join(r.to_bytes(2, "little") for r in rr)).hex(), device, lasting)

    def battery(self, percent, device=STRAP):
        self.add(
            "characteristicNotified", device=device, characteristic="batteryLevel",
            value=bytes([percent]).hex())

    def pod(self, cadence, speed=0, stride=None, distance=None, running=False):
        """A foot pod's value: speed in 1/256 m a second, stride in cm, distance in 1/10 m."""
        flags = (stride is not None) | (distance is not None) << 1 | running << 2
        value = bytes([flags]) + speed.to_bytes(2, "little") + bytes([cadence])
        value += b"" if stride is None else stride.to_bytes(2, "little")
        value += b"" if distance is None else distance.to_bytes(4, "little")
        self.add(
            "pedometerRead", device=POD, form="runningSpeedCadenceMeasurement",
            value=value.hex(), distanceMillimetres=None)

    def steps(self, count, device=WATCH):
        self.add(
            "pedometerRead", device=device, form="infiniTimeStepCount",
            value=count.to_bytes(4, "little").hex(), distanceMillimetres=None)

    def counter(self, count, device=WATCH, millimetres=None):
        self.add(
            "pedometerRead", device=device, form="counter", count=count,
            distanceMillimetres=millimetres)

    def fix(self, east, north, altitude, error=8_000, late=120):
        """A fix, so many millimetres from 48 N, 11 E; 11.1 mm are 10^-7 degrees of latitude."""
        self.add(
            "positionFixed", latitudeE7=480_000_000 + round(north / 11.1195),
            longitudeE7=110_000_000 + round(east / 7.4404), altitudeMillimetres=altitude,
            accuracyMillimetres=error, speedMillimetresPerSecond=1_400, satellites=9,
            fixedAtMilliseconds=self.wall - late)

    def stream(self, seconds, seed, low=80, high=120, counter=None):
        """One value a second, a slow wave with noise; with a counter two steps a second."""
        chance = random.Random(seed)
        bpm = (low + high) // 2
        for second in range(seconds):
            bpm = max(low, min(high, bpm + chance.randint(-2, 2)))
            rr = 61_440 // bpm + chance.randint(-20, 20)
            self.bpm(bpm, (rr,))
            if counter is not None:
                self.wait(400)
                counter += 2 if second % 7 else 1
                self.steps(counter)
                self.wait(600 + chance.randint(-30, 30))
            else:
                self.wait(1000 + chance.randint(-30, 30))
        return counter

    def walk(self, seconds, seed, low, high, counter):
        """A walk that gets faster, as strap and watch tell it: about once a second all beats since
        the last value, with the breath in them, and the watch's count of about 110 steps a minute.
        Times of beats are kept in 1/1024 s, so that the intervals fill the clock."""
        chance = random.Random(seed)
        beat, intervals = 0, []
        until_beat = 1_024 * 300
        for second in range(seconds):
            pause = 1_000 + chance.randint(-20, 20)
            rr = []
            while until_beat <= pause * 1_024:
                rate = low + (high - low) * second // seconds
                breath = (0, 14, 20, 14, 0, -14, -20, -14)[beat % 8]
                rr.append(61_440 // rate + breath + chance.randint(-8, 8))
                until_beat += rr[-1] * 1_000
                beat += 1
            until_beat -= pause * 1_024
            intervals = (intervals + rr)[-5:]
            self.bpm(round(61_440 * len(intervals) / sum(intervals)), rr)
            self.wait(400)
            counter += 2 if chance.randint(0, 5) else 1
            self.steps(counter)
            self.wait(pause - 400)

    def beats(self, values, seed, copies=1, device=STRAP):
        """About one value a second with all beats since the last one; each `copies` times."""
        chance = random.Random(seed)
        interval = 660
        until_beat = interval * 1_000 // 1_024
        for _ in range(values):
            pause = 1_000 + chance.randint(-20, 20)
            rr = []
            while until_beat <= pause:
                rr.append(interval)
                interval = max(560, min(760, interval + chance.randint(-9, 9)))
                until_beat += interval * 1_000 // 1_024
            until_beat -= pause
            for copy in range(copies):
                if copy:
                    self.wait(1)
                self.bpm(61_440 // interval, rr, device=device)
            self.wait(pause - copies + 1)
