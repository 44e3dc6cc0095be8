"""Stores that the program makes of captures written here, their bytes, and what they are worth."""
import base64
import hmac
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from campaign import PULSELOG, ROOT  # noqa: E402

sys.path += [str(ROOT / "Tests/Foreign"), str(ROOT / "Tools/Replays")]
import captures  # noqa: E402
from captures import Capture  # noqa: E402

try:
    import lmdb
    import made
    from nacl.exceptions import BadSignatureError
    from nacl.signing import SigningKey
except ImportError as error:
    sys.exit(f"attack: {error}; `Tools/setup --foreign` installs what it needs.")

MIDNIGHT = 1772319600000  # 2026-03-01 00:00 in UTC+1


# MARK: - Bytes of the record format

def crc_table():
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        yield byte


TABLE = list(crc_table())


def with_checksum(block):
    crc = 0xFFFFFFFF
    for byte in block[4:]:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 255]
    return struct.pack("<I", crc ^ 0xFFFFFFFF) + bytes(block[4:])


def leaf(block, ordinal, secret):
    salts = b"".join(
        hmac.digest(secret, struct.pack("<QB", ordinal, part), "sha512") for part in (0, 1))
    hashes, at = [], 24
    for number, length in enumerate(struct.unpack_from("<8H", block, 8)):
        salt = salts[16 * number:16 * number + 16]
        hashes.append(made.sha256(b"pulselog.section", bytes([number]), salt, block[at:at + length]))
        at += length
    return made.sha256(b"\0", block[4:6], *hashes)


def events_of(block): return struct.unpack_from("<H", block, 6)[0]


def number_key(name, number): return name + struct.pack(">Q", number)


class Rows:
    """What a store holds: blocks by position, leaves with it by number, checkpoints by size, other rows."""

    def __init__(self, folder):
        self.blocks, self.leaves, self.notes, self.others = {}, {}, {}, {}
        with lmdb.open(str(folder), max_dbs=4, readonly=True) as environment:
            log, meta = (environment.open_db(name, create=False) for name in (b"log", b"meta"))
            with environment.begin() as transaction:
                for key, value in transaction.cursor(log):
                    self.blocks[int.from_bytes(key, "big")] = value
                for key, value in transaction.cursor(meta):
                    name, _, number = key.partition(b"/")
                    rows = {b"leaf": self.leaves, b"checkpoint": self.notes}.get(name, self.others)
                    if rows is self.leaves: number, value = value[:8], number + value[8:]
                    rows[key if rows is self.others else int.from_bytes(number, "big")] = value

    def write(self, folder):
        rows = dict(self.others)
        rows |= {b"leaf/" + value[:8]: struct.pack(">Q", number) + value[8:] for number, value in self.leaves.items()}
        rows |= {number_key(b"checkpoint/", size): value for size, value in self.notes.items()}
        blocks = {number_key(b"", position): value for position, value in self.blocks.items()}
        with lmdb.open(str(folder), max_dbs=4, map_size=1 << 28) as environment:
            for name, wanted in ((b"log", blocks), (b"meta", rows)):
                table = environment.open_db(name, create=False)
                with environment.begin(write=True) as transaction:
                    there = dict(transaction.cursor(table))
                    for key in there.keys() - wanted.keys():
                        transaction.delete(key, db=table)
                    for key, value in wanted.items():
                        if there.get(key) != value:
                            transaction.put(key, value, db=table)

    def in_order(self): return sorted(self.blocks.items())

    def hashes(self, count): return [self.leaves[number][8:] for number in range(count)]

    def seal(self, secret, count):
        """Gives the first blocks leaves that fit them."""
        self.others[b"secret"] = secret
        self.leaves = {
            number: struct.pack(">Q", position) + leaf(block, number, secret)
            for number, (position, block) in enumerate(self.in_order()[:count])}

    def sign(self, sizes, name, key):
        self.others[b"vkey"] = made.vkey(name, key).encode()
        self.notes = {
            size: made.checkpoint(self.hashes(size), name, key).encode()
            for size in sizes if size <= len(self.leaves)}
        self.fit_frontier()

    def fit_frontier(self):
        """The frontier of the tree that the last checkpoint signs."""
        self.others.pop(b"frontier", None)
        size, rest, roots = max(self.notes, default=0), self.hashes(len(self.leaves)), b""
        for bit in reversed(range(size.bit_length())):
            if size >> bit & 1:
                roots, rest = roots + made.root(rest[:1 << bit]), rest[1 << bit:]
        if size: self.others[b"frontier"] = struct.pack(">Q", size) + roots

    def strip(self):
        """Nothing was ever signed."""
        self.leaves, self.notes = {}, {}
        self.fit_frontier()
        self.others.pop(b"secret", None)
        self.others.pop(b"vkey", None)


def head_of(note, name, key):
    """Size and root of a note that a key has signed; None if it has not."""
    try:
        text, signature = note.decode().split("\n\n")
        origin, size, root = text.split("\n")
        key.verify_key.verify(
            (text + "\n").encode(), base64.b64decode(signature.split(" ")[2])[4:])
        return (int(size), base64.b64decode(root)) if origin == name else None
    except (ValueError, IndexError, BadSignatureError):
        return None


# MARK: - Stores

def capture(days, beats, counts, totals):
    """The events of some days: a counter of steps, a strap, on some days a total of a phone."""
    log = Capture(wall=MIDNIGHT, boot=1000)
    log.begin(heart=False)
    count = 20_000
    for day in range(days):
        noon = day * 86_400_000 + 43_200_000
        log.at(noon)
        log.reconcile("rollover")
        log.start()
        for second in range(beats):
            count += counts[day][second] if second else 0
            log.at(noon + 1000 * second)
            log.counter(count)
            log.wait(500)
            log.bpm(60 + second % 90, [600 + second])
        log.at(noon + 600_000)
        log.add("sessionEnded", reason="requested")
        if totals[day]: log.report(totals[day])
    return log.text


def impossible_walk(rng):
    """A day whose readings each fit, of counters in turn, split, from 0 again, under clocks that jump.

    Also what the shorter of both clocks says of its time, in milliseconds."""
    log = Capture(wall=MIDNIGHT + 8 * 3_600_000)
    devices = (captures.WATCH, captures.POD)[:rng.choice([1, 1, 2])]
    log.begin(devices=devices[:1], heart=False)
    counts, ahead, apart = dict.fromkeys(devices, 1000), 0, rng.choice([90, 499, 500, 1000, 2000, 61_000])
    began = log.boot
    most, jumps = rng.choice([3, 12, 16, 40, 400]), rng.choice([None, "boot", "wall", "both"])
    for number in range(rng.randrange(100, 1200)):
        device = devices[number // 2 % len(devices)]
        if number % 2 == 0 and len(devices) > 1:
            log.add("pedometerChosen", device=device, stepsPerCadenceCount=1)
        counts[device] = 0 if rng.random() < 0.03 else counts[device] + rng.randrange(most)
        log.counter(counts[device] if rng.random() > 0.05 else rng.randrange(1 << 33), device)
        boot, wall = (apart * rng.choice([1, 1, 30]) if jumps in (each, "both") else apart
                      for each in ("boot", "wall"))
        if jumps == "wall" and rng.random() < 0.1: wall = -wall
        log.boot, log.wall, ahead = log.boot + boot, log.wall + wall, ahead + max(0, wall)
    return log.text, min(log.boot - began, ahead)


def date_of(day): return f"2026-03-{day + 1:02}"


def run(folder, *command):
    """Runs the program on the store of a folder; its exit code, its output, its messages."""
    environment = dict(
        os.environ, HOME=str(folder), XDG_STATE_HOME=str(folder / "state"), SWIFT_BACKTRACE="enable=no",
        PULSELOG_STORE=str(folder / "store"), TZ="UTC")
    done = subprocess.run(
        [str(part) for part in (PULSELOG, *command)], env=environment, capture_output=True, text=True,
        timeout=120, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


class World:
    """A log with several checkpoints, as it was after each, and what its days are worth."""

    def __init__(self, folder, seed):
        rng = random.Random(f"world {seed}")
        self.days, self.beats = rng.randrange(3, 7), rng.choice([20, 100, 300])
        counts = [[rng.randrange(4) for _ in range(self.beats)] for _ in range(self.days)]
        totals = [rng.choice([0, 0, rng.randrange(1000, 8000)]) for _ in range(self.days)]
        plan = [(rng.randrange(self.days), rng.randrange(9000, 16_000)) for _ in range(rng.randrange(3, 8))]
        has_tail = rng.random() < 0.5
        self.stages, self.numbers = [], {}
        self.build(folder / "true", counts, totals, plan, has_tail)
        last = self.stages[-1]
        self.rows, self.outside = Rows(last / "store"), self.kept(last)
        self.name = "pulselog/" + self.rows.others[b"id"].hex()
        seed = base64.b64decode((self.outside / "key").read_text().rstrip("\n").split("+", 4)[4])
        self.key = SigningKey(seed[1:])
        self.vkey = made.vkey(self.name, self.key)
        self.sizes, self.size = sorted(self.rows.notes), len(self.rows.leaves)
        blocks = self.rows.in_order()
        self.ends = [0, *(position + events_of(block) for position, block in blocks)]
        self.known = {head_of(note, self.name, self.key) for note in self.rows.notes.values()}
        # What was reported of each day, and the last of it.
        walked = {day: sum(counts[day][1:]) for day in range(self.days)}
        self.displayed = {day: [max(walked[day], totals[day])] for day in walked}
        for day, total in plan: self.displayed[day].append(max(total, self.displayed[day][-1]))
        self.tail_day = plan[-1][0] if has_tail else None
        # The same with other steps and totals: blocks that fit in.
        for each in counts:
            second = rng.randrange(1, self.beats)
            each[second] += 20 + rng.randrange(20)
        stages, self.stages = self.stages, []
        self.build(folder / "other", counts, [each and each + 77 for each in totals],
                   [(day, total + 99) for day, total in plan], has_tail)
        self.twin, self.stages = Rows(self.stages[-1] / "store").blocks, stages

    @staticmethod
    def kept(folder): return next((folder / "state/pulselog").iterdir())

    def build(self, folder, counts, totals, plan, has_tail):
        folder.mkdir()

        def done(*command):
            code, output, messages = run(folder, *command)
            if code: sys.exit(f"attack: {command}: exit code {code}: {messages}{output}")

        (folder / "capture.jsonl").write_text(capture(self.days, self.beats, counts, totals))
        done("import", folder / "capture.jsonl")
        done("audit", "witness", "--out", folder / "0.note")
        self.keep(folder)
        for number, (day, total) in enumerate(plan, 1):
            done("health", total, "--day", date_of(day))
            if has_tail and number == len(plan): break
            if number % 2 or day == self.days - 1: done("audit", "witness", "--out", folder / f"{number}.note")
            else: done("audit", "prove", "--day", date_of(day), "--out", folder / f"{number}.proof")
            self.keep(folder)
        if has_tail: self.keep(folder)
        shutil.rmtree(folder / "store")

    def keep(self, folder):
        stage = folder / str(len(self.stages))
        shutil.copytree(folder / "store", stage / "store")
        shutil.copytree(folder / "state", stage / "state")
        self.stages.append(stage)
