"""Proofs made by hand, from the record format alone: events, records of days, trees, signatures."""
import base64, hashlib
from nacl.signing import SigningKey

KEY = SigningKey(bytes(range(32)))
NAME = "pulselog/00112233445566778899aabbccddeeff"
CHOSEN, OTHER = bytes([2, 0, 0, 0, 0, 0xC4, 1]), bytes([3, 0, 0, 0, 0, 0xC4, 1])
DATE = 20513  # 2026-03-01
MIDNIGHT = DATE * 86_400_000


def sha256(*parts): return hashlib.sha256(b"".join(parts)).digest()


def base(content): return base64.b64encode(content).decode()


def varint(value):
    low = bytes([value & 127])
    return low if value < 128 else bytes([low[0] | 128]) + varint(value >> 7)


def signed(value): return varint(value << 1 ^ value >> 63)


def text(value): return varint(len(value.encode())) + value.encode()


def optional(value, coded): return b"\0" if value is None else b"\1" + coded(value)


# MARK: - Events: kind and payload

def reading(count, device=CHOSEN): return 0x61, device + b"\0" + varint(count) + b"\0"


def value(form, content, device=CHOSEN):
    return 0x61, device + bytes([form]) + varint(len(content)) + content + b"\0"


def total(steps, origin="phone", date=DATE):
    return 0x62, signed(date) + varint(steps) + b"\0" + text(origin)


def reconciliation(steps, date=DATE, trigger=4):
    return 0x63, bytes([trigger]) + optional(steps, varint) + b"\0" + signed(date) + signed(60)


def legacy(steps, date=DATE): return 0x64, signed(date) + varint(steps)


def correction(steps, date=DATE):
    return 0x65, signed(date) + signed(steps) + text("no \33watch") + text("Ann")


def meant(steps, date=DATE):
    return 0x69, signed(date) + b"\0" + varint(steps) + text("a race") + text("Ann")


def choice(device, factor=1): return 0x66, optional(device, bytes) + bytes([factor])


def canonical(events, milliseconds=1000, source=0):
    """The canonical bytes of events that come one after the other; indices have gaps."""
    return b"".join(
        varint(3 * index) + varint(source if kind == 0x62 else 0) + varint(index * milliseconds)
        + signed(MIDNIGHT + index * milliseconds) + varint(0) + bytes([1, kind]) + varint(1)
        + varint(len(payload)) + payload for index, (kind, payload) in enumerate(events))


# MARK: - Records of days

def day_closed(displayed, count, steps):
    return 0xC1, signed(DATE) + signed(60) + varint(displayed) + signed(displayed) + varint(7) \
        + varint(7 + count) + sha256(steps) + bytes(32)


def day_recorded(displayed, count, steps, walked=0, at_end=None, corrected=None, factor=1):
    corrected = displayed if corrected is None else corrected
    return 0xC2, signed(DATE) + optional(60, signed) + varint(displayed) + varint(corrected) \
        + optional(at_end, varint) + varint(0) + varint(walked) + bytes([factor]) \
        + varint(count) + sha256(steps)


def section(kind, payload, source=0, version=1):
    """The section of the lane `day` that holds a record, made 2.5 s after midnight of the next day."""
    boot, wall = 5000, MIDNIGHT + 86_402_500
    extras = bytes([1, 32, version]) if version != 1 else b"\0"
    return varint(1) + varint(4) + varint(boot) + signed(wall - boot) + varint(0) + varint(source) \
        + bytes([1, kind]) + extras + varint(len(payload)) + payload


# MARK: - Trees and proofs (RFC 6962, 2.1)

def root(leaves):
    if len(leaves) < 2: return leaves[0] if leaves else sha256()
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\1", root(leaves[:split]), root(leaves[split:]))


def way(index, leaves):
    if len(leaves) < 2: return []
    split = 1 << (len(leaves) - 1).bit_length() - 1
    if index < split: return way(index, leaves[:split]) + [root(leaves[split:])]
    return way(index - split, leaves[split:]) + [root(leaves[:split])]


def consistency(old, leaves, is_own=True):
    if old == len(leaves): return [] if is_own else [root(leaves)]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    if old <= split: return consistency(old, leaves[:split], is_own) + [root(leaves[split:])]
    return consistency(old - split, leaves[split:], False) + [root(leaves[:split])]


def vkey(name=NAME, key=KEY):
    public = b"\1" + bytes(key.verify_key)
    return "+".join([name, key_id(name, public).hex(), base(public)])


def key_id(name, public): return sha256(name.encode() + b"\n" + public)[:4]


def checkpoint(leaves, name=NAME, key=KEY):
    note = f"{name}\n{len(leaves)}\n{base(root(leaves))}\n"
    identity = key_id(name, b"\1" + bytes(key.verify_key))
    return f"{note}\n\u2014 {name} {base(identity + key.sign(note.encode()).signature)}\n"


def proof(day, steps=b"", before=(), after=(), since=None, name=NAME, key=KEY):
    """A proof of a record's section, whose leaf stands between others."""
    salt, others = bytes(range(16)), [sha256(bytes([number])) for number in range(7)]
    opened = section(*day)
    leaf = sha256(b"\0", b"\1\0", *others, sha256(b"pulselog.section", b"\7", salt, opened))
    leaves = [*before, leaf, *after]
    extra = b"\1\0\7" + salt + len(opened).to_bytes(2, "little") + opened + b"".join(others)
    if since is not None:
        hashes = consistency(since, leaves)
        extra += since.to_bytes(8, "little") + bytes([len(hashes)]) + b"".join(hashes)
    extra = base(bytes([1 if since is None else 2]) + extra + steps)
    lines = ["c2sp.org/tlog-proof@v1", f"extra {extra}", f"index {len(before)}"]
    lines += map(base, way(len(before), leaves))
    return "\n".join(lines) + "\n\n" + checkpoint(leaves, name, key), leaves
