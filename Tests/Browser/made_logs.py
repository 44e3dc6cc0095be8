"""Logs of walkers who have walked for long, until yesterday."""

from datetime import date, timedelta

from captures import STRAP, Capture

DAY, NOON, HOUR = 86_400_000, 43_200_000, 3_600_000
NAMES = ("Round the lake", "Home from work", "To the market")


def rolled(number, most):
    """A number below `most` that looks random and is always the same."""
    return number * 2_654_435_761 % 4_294_967_296 * most >> 32


class Walker(Capture):
    """A log that began at a midnight, so many days ago."""

    def __init__(self, days):
        self.first = date.today() - timedelta(days=days)
        super().__init__(
            wall=(self.first - date(1970, 1, 1)).days * DAY, boot=1_000_000, offset=0, zone="UTC")
        self.begin(heart=False)

    def end_walk(self, walk, name, **said):
        """Ends a walk, and says something of it."""
        self.add("sessionEnded", reason="requested")
        self.add("sessionDescribed", session=walk, sessionName=name, **{
            "place": None, "note": None, "tags": None, "sport": None, "listing": None, **said})

    def report(self, day, total):
        """What a phone counted on a day."""
        self.add("healthTotalObserved", date=str(self.first + timedelta(days=day)), total=total,
                 validUntilMilliseconds=None, origin="phone")


def years(days):
    """A walk at noon of each day, and the steps of those days."""
    log = Walker(days)
    for day in range(days):
        log.at(day * DAY + NOON)
        walk = log.start()
        for fix in range(3 + day % 3 * 2):
            log.at(day * DAY + NOON + fix * 60_000)
            log.fix(0, fix * 89_000, None, error=5_000)
        log.at(day * DAY + NOON + 1_000_000)
        log.end_walk(
            walk, NAMES[day % 3], place="Park", tags="dog" if day % 5 == 0 else None,
            listing="hidden" if day % 100 == 0 else None)
        if day % 9 != 0:
            log.report(day, 2_000 + day * 997 % 12_000)
    return log.text


def mornings(days):
    """Mornings at rest with a strap, walks with positions, and the steps of the days."""
    log = Walker(days)
    log.add("devicePaired", device=STRAP, name="Strap One", roles=1)
    for day in range(days):
        if rolled(day, 3) > 0:
            rest(log, day, days)
        if rolled(day + 1_000, 2) > 0 or day == days - 1:
            go_round(log, day, days)
        if day % 19 != 0:
            log.at(day * DAY + NOON + 40_000_000)
            log.report(day, 2_000 + rolled(day + 7, 12_000) + (40_000 if day == days - 9 else 0))
    return log.text


def rest(log, day, days):
    """A morning: the rate falls over the days, and sometimes beats are missing."""
    begin = day * DAY + NOON - 5 * HOUR
    bpm, spread = 63 - day * 5 // days + rolled(day + 5, 3), 15 + rolled(day + 9, 8)
    log.at(begin)
    walk = log.start()
    log.link_up()
    for value in range(160):
        log.at(begin + 300 + value * 240_000 // bpm)
        is_missing = day % 7 == 0 and value % 8 == 0
        beats = [60 * 1024 // bpm + (spread if beat % 2 else -spread) for beat in range(4)]
        log.bpm(bpm, [] if is_missing else beats)
    log.wait(500)
    log.link_lost()
    log.end_walk(walk, "Morning")


def go_round(log, day, days):
    """A walk: the same heart goes faster over the days."""
    begin, bpm = day * DAY + NOON, 112 + rolled(day + 3, 16)
    log.at(begin)
    walk = log.start()
    log.link_up()
    for second in range(0, 600 + rolled(day, 600), 5):
        log.at(begin + 300 + second * 1_000)
        log.bpm(bpm, [61_440 // bpm] * 4)
        if second % 10 == 0:
            log.fix(0, second * (1_157 + day * 89 // days), 40_000 + 6_000 * (second // 300 % 2),
                    error=5_000)
    log.wait(500)
    log.link_lost()
    log.end_walk(walk, "Round the lake", listing="hidden" if day % 50 == 0 else None,
                 sport="run" if day % 11 == 0 else None)
