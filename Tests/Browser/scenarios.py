"""Straps as the tests want them in range, in the form of FakeStrap's scenario files."""

STRAP, SECOND, WATCH = "C4:00:00:00:00:01", "C4:00:00:00:00:03", "C4:00:00:00:00:02"
MARKUP = "<img src=x onerror=\"document.title='taken'\"><b>Strap</b>"
LONG = "A strap of somebody with a very long name, " * 5


def strap(play, name="Strap One", address=STRAP, rssi=-58, **more):
    """A heart-rate strap that is worn."""
    return {"id": address, "name": name, "address": address, "rssi": rssi,
            "services": ["hr", "battery", "dis"], "battery": 87, "manufacturer": "Walk Works",
            "play": [{"wait": "subscribed", "timeout": 600}, *play], **more}


def beating(low=95, high=125, seconds=3600, rate=1):
    """Values that go up and down."""
    return {"stream": "hr", "for": seconds, "rate": rate, "bpm": [low, high], "rr": True,
            "contact": True}


def heard(*devices):
    """Straps in range, each heard again and again, as in life: its strength changes."""
    swing = [step for change in (9, 0) for step in (
        *({"device": device["id"], "rssi": device["rssi"] + change} for device in devices),
        {"sleep": 2})]
    return {"devices": list(devices), "play": [{"repeat": 900, "steps": swing}]}


def steady(*more):
    """One strap that sends for an hour."""
    return heard(strap([beating()]), *more)


def crowd():
    """Three in range, two of them with names that would harm a careless page."""
    return steady(
        strap([beating()], MARKUP, SECOND, -72),
        strap([beating()], LONG, "C4:00:00:00:00:04", -90))


def watch():
    """A watch that counts two steps a second."""
    steps = [(9_000 + 2 * second).to_bytes(4, "little").hex() for second in range(900)]
    kind = "00030001-78fc-48fe-8e23-433b3a1942d0"
    return {"id": WATCH, "name": "InfiniTime", "address": WATCH, "rssi": -60,
            "services": ["motion", "battery"], "play": [
                {"wait": "subscribed", "char": kind, "timeout": 600},
                {"notify": kind, "every": 1, "hex": steps}]}


def losing(away):
    """It sends, is out of range for so many seconds, and sends again."""
    return heard(strap([
        beating(110, 110, 12), {"drop": "out-of-range", "for": away},
        {"wait": "subscribed", "timeout": 600}, beating(118, 118)]))


def moody():
    """On skin, off skin, and then without a word; each until the test has seen it."""
    off = {"stream": "hr", "for": 8, "rate": 1, "bpm": [60, 60], "contact": False}
    return heard(strap([beating(110, 110, 8), off, {"sleep": 12}, beating(112, 112)]))
