"""What two other readers of FIT make of an exported walk, against `pulselog sessions show --json`.

garmin-fit-sdk and fitdecode (PyPI) read the file with their checks of the checksum on. What FIT's own
fields say has to be what the session says, to the last unit of the field: whole seconds, BPM,
milliseconds between beats, centimetres, fifths of a metre, semicircles. What the developer fields say has
to be exact.
"""
import datetime
import fitdecode
from garmin_fit_sdk import Decoder, Stream

EPOCH = 631_065_600
NONE = 0xFFFFFFFF
START, ELAPSED, STEPS, DAY_STEPS, DISTANCE, ALTITUDE, HEART_RATE, INTERVALS, MARK = range(9)
NAMES = ["file_id", "record", "hrv", "event", "lap", "session", "activity", "device_info"]


def by_garmin(path):
    """The messages in order, raw, as (name, fields, developer fields); raises what is wrong."""
    if not Decoder(Stream.from_file(path)).check_integrity():
        raise ValueError("garmin-fit-sdk: the file is not whole")
    messages = []

    def take(number, message):
        name = {0: "file_id", 18: "session", 19: "lap", 20: "record", 21: "event", 23: "device_info",
                34: "activity", 78: "hrv"}.get(number)
        if name:
            fields = {key: value for key, value in message.items() if key != "developer_fields"}
            messages.append((name, fields, message.get("developer_fields", {})))

    _, errors = Decoder(Stream.from_file(path)).read(
        apply_scale_and_offset=False, convert_datetimes_to_dates=False, convert_types_to_strings=False,
        expand_sub_fields=False, expand_components=False, merge_heart_rates=False, mesg_listener=take)
    if errors:
        raise ValueError(f"garmin-fit-sdk: {errors}")
    return messages


def by_fitdecode(path):
    """The same by the other reader."""
    messages = []
    with fitdecode.FitReader(
            path, check_crc=fitdecode.CrcCheck.RAISE, error_handling=fitdecode.ErrorHandling.RAISE) as reader:
        for frame in reader:
            if frame.frame_type != fitdecode.FIT_FRAME_DATAMESG or frame.name not in NAMES:
                continue
            fields, developer = {}, {}
            for field in frame.fields:
                if field.field_def is None:
                    continue
                value = field.raw_value
                value = list(value) if isinstance(value, tuple) else value
                if isinstance(field.field_def, fitdecode.types.DevFieldDefinition):
                    developer[field.field_def.def_num] = value
                else:
                    name = (field.parent_field or field).name
                    fields[name] = value
            messages.append((frame.name, fields, developer))
    return messages


def check(path, session):
    """What a FIT file says differently from a session.

    `session` is the object of `sessions show --json`, with `rrTicks` in its samples. Returns sentences; none
    if all is equal.
    """
    differences = []
    for reader in (by_garmin, by_fitdecode):
        try:
            messages = reader(str(path))
        except Exception as error:  # Whatever another program says of the file is a finding.
            differences.append(f"{reader.__name__}: {type(error).__name__}: {error}")
            continue
        for what, found, wanted in compared(messages, session):
            if found != wanted:
                differences.append(f"{reader.__name__}: {what}: {found!r:.300} instead of {wanted!r:.300}")
    return differences


def compared(messages, session):
    """What is compared: what it is, as the file says it, as the session says it."""
    def every(name):
        return [(fields, developer) for kind, fields, developer in messages if kind == name]

    began = datetime.datetime.fromisoformat(session["startedAt"].replace("Z", "+00:00"))
    start = round((began - datetime.datetime.fromtimestamp(0, datetime.timezone.utc)) /
                  datetime.timedelta(milliseconds=1))
    end = session["elapsedMilliseconds"]

    def second(elapsed):
        return max(0, (start + elapsed) // 1000 - EPOCH)

    yield "how many of each", [len(every(name)) for name in ("file_id", "session", "activity")], [1, 1, 1]
    whole, own = every("session")[0]
    steps, distance = session["steps"]["session"], session["distanceMillimetres"]
    centimetres = None if distance is None else (distance + 5) // 10
    yield "session", {
        "start": whole["start_time"], "end": whole["timestamp"], "elapsed": whole["total_elapsed_time"],
        "timer": whole["total_timer_time"], "distance": whole.get("total_distance"),
        "strides": whole.get("total_cycles"), "steps": own.get(STEPS), "day": own[DAY_STEPS],
        "mean": whole.get("avg_heart_rate"), "max": whole.get("max_heart_rate"),
        "lengths": [own[10 + number] for number in range(4) if 10 + number in own],
    }, {
        "start": second(0), "end": second(end), "elapsed": end, "timer": session["activeMilliseconds"],
        "distance": centimetres, "strides": None if steps is None else steps // 2, "steps": steps,
        "day": session["steps"]["today"], "mean": rounded(session["heartRate"]["mean"]),
        "max": None if session["heartRate"]["max"] is None else min(254, session["heartRate"]["max"]),
        "lengths": [each["millimetres"] for each in session["lengths"].values()],
    }
    local = every("activity")[0][0]
    yield "zone", local["local_timestamp"] - local["timestamp"], session["offsetMinutes"] * 60
    yield from compared_records(messages, session, second)
    yield from compared_events(every("event"), session, start, second, end)
    yield from compared_laps(every("lap"), session, second, whole, end)


def rounded(hundredths):
    return None if hundredths is None else (int(hundredths.replace(".", "")) + 50) // 100


def compared_records(messages, session, second):
    """The samples with their intervals, and the points."""
    samples, points = [], []
    for name, fields, own in messages:
        if name == "record":
            bpm = own.get(HEART_RATE, fields.get("heart_rate"))
            if bpm is not None:
                samples.append([fields["timestamp"], own[ELAPSED], bpm, [], []])
            if fields.get("position_lat") is not None:
                points.append((fields["timestamp"], own[ELAPSED], fields["position_lat"],
                               fields["position_long"], fields.get("enhanced_altitude"), own.get(ALTITUDE)))
        elif name == "hrv":
            samples[-1][3] += [time for time in fields["time"] if time not in (None, 0xFFFF)]
            samples[-1][4] += [ticks for ticks in own[INTERVALS] if ticks not in (None, NONE)]
    yield "samples", samples, [
        [second(sample["elapsedMilliseconds"]), sample["elapsedMilliseconds"], sample["bpm"],
         [(ticks * 1000 + 512) // 1024 for ticks in sample.get("rrTicks", [])], sample.get("rrTicks", [])]
        for sample in session["samples"]]
    yield "points", points, [
        (second(point["elapsedMilliseconds"]), point["elapsedMilliseconds"],
         semicircles(point["latitudeE7"]), semicircles(point["longitudeE7"]),
         None if height is None else (height + 500_000 + 100) // 200, height)
        for point in session["track"] for height in [point["altitudeMillimetres"]]]


def semicircles(degrees_e7):
    """The nearest; the meridian of 180 degrees is the last before it."""
    return min(((degrees_e7 << 32) + 1_800_000_000) // 3_600_000_000, 0x7FFF_FFFE)


def compared_events(events, session, start, second, end):
    """The timer's events and the marks."""
    found = [(fields["event"], fields["event_type"], fields["timestamp"], own.get(ELAPSED), own.get(START))
             for fields, own in events]
    wanted = [(0, 0, second(0), None, start), (0, 4, second(end), end, None)]
    for pause in session["intervals"]:
        if pause["kind"] == "paused":
            stop, go = pause["startMilliseconds"], pause["endMilliseconds"]
            wanted.append((0, 4, second(stop), stop, None))
            if go < end:
                wanted.append((0, 0, second(go), go, None))
    for mark in session["markList"]:
        at = mark["elapsedMilliseconds"]
        wanted.append((32, 3, second(at), at, None))
    key = lambda event: tuple(-1 if part is None else part for part in event)
    yield "events", sorted(found, key=key), sorted(wanted, key=key)


def compared_laps(laps, session, second, whole, end):
    """Where the laps are cut, and that they add up to the session."""
    cuts = {split["endMilliseconds"] for split in session["splits"]}
    cuts |= {mark["elapsedMilliseconds"] for mark in session["markList"]}
    cuts = sorted(cut for cut in cuts if 0 < cut < end) + [end]
    lengths = [fields["total_elapsed_time"] for fields, _ in laps]
    yield "ends of laps", [sum(lengths[:index + 1]) for index in range(len(laps))], cuts
    yield "times of laps", [fields["timestamp"] for fields, _ in laps], [second(cut) for cut in cuts]
    for name in ("total_timer_time", "total_distance", "total_cycles"):
        if whole.get(name) is not None:
            yield f"{name} of laps", sum(fields[name] for fields, _ in laps), whole[name]
    for split in session["splits"]:
        own = [fields["total_distance"] for fields, _ in laps
               if split["startMilliseconds"] < sum_until(laps, fields) <= split["endMilliseconds"]]
        if split["endMilliseconds"] < end:
            yield "a split's distance", abs(sum(own) - split["distanceMillimetres"] // 10) <= 1, True


def sum_until(laps, last):
    return sum(fields["total_elapsed_time"] for fields, _ in laps
               if fields["message_index"] <= last["message_index"])
