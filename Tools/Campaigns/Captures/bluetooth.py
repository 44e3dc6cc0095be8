"""Bluetooth captures that are made up: what straps send, packed as captures are.

A capture is a list of packets of one carrier, in one file format. Everything is chosen by a seed; the
same seed writes the same bytes. Numbers are those of the Bluetooth Core Specification 5.4 and of the
pages that define the file formats.
"""
import random
import struct

EPOCH = 1_772_355_600_000_000  # 2026-03-01T09:00:00Z in microseconds

CARRIERS = ["h4", "h4-direction", "h1", "monitor", "air", "air-header", "nordic"]
LINK_TYPES = {"h4": 187, "h4-direction": 201, "air": 251, "monitor": 254, "air-header": 256, "nordic": 272}
FORMATS = {
    "btsnoop": ["h4", "h1", "monitor"],
    "pcap": ["h4", "h4-direction", "monitor", "air", "air-header", "nordic"],
    "pcapng": ["h4", "h4-direction", "monitor", "air", "air-header", "nordic"],
}

BASE_UUID = bytes.fromhex("fb349b5f80000080" "0010000000000000")


def uuid128(number):
    """A short UUID as 16 bytes, the last one printed first."""
    return BASE_UUID[:12] + struct.pack("<I", number)


def heart_rate(rng, bpm=None):
    """A Heart Rate Measurement: Bluetooth HRS 1.0, 3.1.1."""
    bpm = rng.choice([0, 48, 72, 99, 140, 181, 255]) if bpm is None else bpm
    flags = rng.choice([0, 0, 2, 4, 6]) | (rng.random() < 0.15) * 8 | (rng.random() < 0.6) * 16
    value = b""
    if rng.random() < 0.1:
        flags |= 1
        value += struct.pack("<H", rng.choice([bpm, 256, 300, 511]))
    else:
        value += bytes([bpm])
    if flags & 8:
        value += struct.pack("<H", rng.randrange(65536))
    if flags & 16:
        for _ in range(rng.randrange(1, 9)):
            value += struct.pack("<H", rng.randrange(200, 2100))
    return bytes([flags]) + value


class Strap:
    """A device's attributes, as a server lists them."""

    def __init__(self, rng, address, random_address, first=1):
        self.address = address
        self.random_address = random_address
        first += rng.randrange(40)
        # Service, its last handle, and (properties, value handle, UUID, bytes) of characteristics.
        h = first
        self.services = []
        self.values = {}

        def service(uuid, characteristics):
            nonlocal h
            start = h
            h += 1
            members = []
            for properties, kind, initial in characteristics:
                declaration = h
                value = h + 1
                h += 2
                configuration = None
                if properties & 0x30:
                    configuration = h
                    h += 1
                members.append((declaration, properties, value, kind, configuration))
                self.values[kind] = value
                self.initial[kind] = initial
            self.services.append((start, h - 1, uuid, members))
            h += rng.randrange(0, 4)

        self.initial = {}
        parts = [
            lambda: service(0x180D, [(0x10, 0x2A37, b""), (0x02, 0x2A38, bytes([rng.randrange(7)]))]),
            lambda: service(0x180F, [(0x12, 0x2A19, bytes([rng.randrange(101)]))]),
            lambda: service(0x180A, [(0x02, 0x2A29, b"Example Sports"), (0x02, 0x2A24, b"Model 7")]),
            lambda: service(0x1800, [(0x02, 0x2A00, b"Strap"), (0x02, 0x2A01, b"\x41\x03")]),
            lambda: service(0x1814, [(0x10, 0x2A53, b"")]),
        ]
        rng.shuffle(parts)
        for part in parts:
            part()
        self.last = h


class Story:
    """What is said on links, before it is packed: (microseconds, link, sender, bytes of the message).

    The sender is 0 for the central and 1 for the strap. `up`, `down` and `control` are messages of
    their own.
    """

    def __init__(self, rng, discovery=None, faults=True):
        self.rng = rng
        self.time = EPOCH + rng.randrange(10**9)
        self.said = []
        self.truth = []  # (strap, value) of each Heart Rate Measurement that was notified
        self.faults = faults
        self.discovery = discovery or rng.choice(["declarations", "information", "found", "groups"])

    def sent(self):
        """(address as Pulselog writes it, value in hexadecimal) of each measurement, in order."""
        return [
            (("" if strap.random_address else "public/")
             + ":".join(f"{byte:02X}" for byte in strap.address.to_bytes(6, "big")), value.hex())
            for strap, value in self.truth
        ]

    def wait(self, least=200, most=20_000):
        self.time += self.rng.randrange(least, most)

    def say(self, link, sender, message):
        self.wait()
        self.said.append((self.time, link, sender, message))

    def up(self, link, strap):
        self.wait()
        self.said.append((self.time, link, "up", strap))

    def down(self, link, reason=0x13):
        self.wait()
        self.said.append((self.time, link, "down", reason))

    def discover(self, link, strap):
        rng = self.rng
        self.say(link, 0, b"\x02" + struct.pack("<H", 247))
        self.say(link, 1, b"\x03" + struct.pack("<H", 185))
        services = sorted(strap.services)
        if self.discovery == "found":
            for start, end, uuid, _ in services:
                self.say(link, 0, b"\x06" + struct.pack("<HHHH", 1, 0xFFFF, 0x2800, uuid))
                self.say(link, 1, b"\x07" + struct.pack("<HH", start, end))
                self.say(link, 0, b"\x06" + struct.pack("<HHHH", end + 1, 0xFFFF, 0x2800, uuid))
                self.say(link, 1, b"\x01\x06" + struct.pack("<HB", end + 1, 0x0A))
        else:
            for start, end, uuid, _ in services:
                self.say(link, 0, b"\x10" + struct.pack("<HHH", start, 0xFFFF, 0x2800))
                if rng.random() < 0.2:
                    self.say(link, 1, b"\x11\x14" + struct.pack("<HH", start, end) + uuid128(uuid))
                else:
                    self.say(link, 1, b"\x11\x06" + struct.pack("<HHH", start, end, uuid))
        if self.discovery in ("declarations", "found"):
            for start, end, _, members in services:
                self.say(link, 0, b"\x08" + struct.pack("<HHH", start, end, 0x2803))
                is_long = rng.random() < 0.2
                entries = b""
                for declaration, properties, value, kind, _ in members:
                    entries += struct.pack("<HBH", declaration, properties, value)
                    entries += uuid128(kind) if is_long else struct.pack("<H", kind)
                self.say(link, 1, b"\x09" + bytes([21 if is_long else 7]) + entries)
        if self.discovery in ("information", "declarations"):
            for start, end, uuid, members in services:
                self.say(link, 0, b"\x04" + struct.pack("<HH", start, end))
                entries = struct.pack("<HH", start, 0x2800)
                for declaration, _, value, kind, configuration in members:
                    entries += struct.pack("<HHHH", declaration, 0x2803, value, kind)
                    if configuration:
                        entries += struct.pack("<HH", configuration, 0x2902)
                self.say(link, 1, b"\x05\x01" + entries)

    def read(self, link, strap, kind):
        self.say(link, 0, b"\x0a" + struct.pack("<H", strap.values[kind]))
        self.say(link, 1, b"\x0b" + strap.initial[kind])

    def read_by_type(self, link, strap, kind):
        value = strap.initial[kind]
        self.say(link, 0, b"\x08" + struct.pack("<HHH", 1, 0xFFFF, kind))
        self.say(link, 1, b"\x09" + bytes([2 + len(value)]) + struct.pack("<H", strap.values[kind]) + value)

    def subscribe(self, link, strap):
        handle = strap.values[0x2A37] + 1
        self.say(link, 0, b"\x12" + struct.pack("<HH", handle, 1))
        self.say(link, 1, b"\x13")

    def notify(self, link, strap, kind, value):
        self.say(link, 1, b"\x1b" + struct.pack("<H", strap.values[kind]) + value)
        if kind == 0x2A37:
            self.truth.append((strap, value))

    def notify_several(self, link, strap, values):
        body = b"".join(struct.pack("<HH", strap.values[k], len(v)) + v for k, v in values)
        self.say(link, 1, b"\x23" + body)
        self.truth += [(strap, v) for k, v in values if k == 0x2A37]

    def values(self, link, strap, count):
        rng = self.rng
        for _ in range(count):
            self.time += rng.randrange(300_000, 1_200_000)
            value = heart_rate(rng)
            if self.faults and rng.random() < 0.05:
                value = value[: rng.randrange(len(value))]  # ends too soon
            elif self.faults and rng.random() < 0.03:
                value += bytes([rng.randrange(256)])  # a byte too many
            self.notify(link, strap, 0x2A37, value)
            if rng.random() < 0.05:
                self.notify(link, strap, 0x2A19, bytes([rng.randrange(101)]))
            if rng.random() < 0.1:
                self.notify(link, strap, 0x2A53, bytes([0]) + struct.pack("<HB", 600, 85))


def ordinary(seed, faults=True, values=None):
    """A story of one to three straps that come and go."""
    rng = random.Random(seed)
    story = Story(rng, faults=faults)
    links = rng.randrange(1, 4)
    # No handle is another strap's too: tshark mixes up those of several links.
    straps = [
        Strap(rng, 0xC40000000001 + i, rng.random() < 0.7, 1 + 100 * i) for i in range(links)
    ]
    for link, strap in enumerate(straps):
        story.up(link, strap)
        if rng.random() < 0.3 and faults:
            # Values before anything is known of handles.
            story.notify(link, strap, 0x2A37, heart_rate(rng))
        if rng.random() < 0.1:
            story.notify_several(
                link, strap, [(0x2A37, heart_rate(rng)), (0x2A19, b"\x32"), (0x2A37, heart_rate(rng))])
        story.discover(link, strap)
        story.read(link, strap, 0x2A38)
        story.read(link, strap, 0x2A29)
        if rng.random() < 0.3:
            story.read_by_type(link, strap, 0x2A19)
        story.subscribe(link, strap)
    for _ in range(values or rng.randrange(3, 12)):
        link = rng.randrange(links)
        story.values(link, straps[link], rng.randrange(1, 5))
        if rng.random() < 0.15:
            # A bonded strap comes back, and nobody asks for its handles again.
            story.down(link, rng.choice([0x08, 0x13, 0x16]))
            story.up(link, straps[link])
            story.subscribe(link, straps[link])
    for link in range(links):
        story.down(link)
    return story


# Carriers.


def l2cap(message, channel=4):
    return struct.pack("<HH", len(message), channel) + message


def address(number):
    return number.to_bytes(6, "little")


class HostCarrier:
    """Between host and controller: (microseconds, type, is received, bytes without the type)."""

    def __init__(self, rng, fragment):
        self.rng = rng
        self.fragment = fragment
        self.packets = []

    def add(self, time, kind, received, body):
        self.packets.append((time, kind, received, body))

    def noise(self, time):
        rng = self.rng
        choice = rng.randrange(5)
        if choice == 0:  # an advertising report
            body = b"\x3e\x0c\x02\x01\x00\x01" + rng.randbytes(6) + b"\x00" + b"\xc4"
            self.add(time, 4, True, body)
        elif choice == 1:
            self.add(time, 1, False, b"\x0c\x20\x02\x01\x00")
            self.add(time, 4, True, b"\x0e\x04\x01\x0c\x20\x00")
        elif choice == 2:  # number of completed packets
            self.add(time, 4, True, b"\x13\x05\x01" + struct.pack("<HH", 64, 1))
        elif choice == 3:  # signalling on channel 5
            body = l2cap(b"\x12\x01\x08\x00" + rng.randbytes(8), 5)
            self.add(time, 2, True, struct.pack("<HH", 64 | 2 << 12, len(body)) + body)

    def pack(self, story):
        handles = {}
        for time, link, sender, message in story.said:
            handle = 64 + link
            if self.rng.random() < 0.3:
                self.noise(time - 1)
            if sender == "up":
                kind = 1 if message.random_address else 0
                if self.rng.random() < 0.5:
                    body = b"\x01\x00" + struct.pack("<HBB", handle, 0, kind) + address(message.address)
                    body += struct.pack("<HHHB", 24, 0, 42, 0)
                else:
                    body = b"\x0a\x00" + struct.pack("<HBB", handle, 0, kind) + address(message.address)
                    body += bytes(12) + struct.pack("<HHHB", 24, 0, 42, 0)
                self.add(time, 4, True, b"\x3e" + bytes([len(body)]) + body)
                handles[link] = message
            elif sender == "down":
                self.add(time, 4, True, b"\x05\x04\x00" + struct.pack("<HB", handle, message))
            else:
                body = l2cap(message)
                first = True
                received = sender == 1
                while body or first:
                    piece, body = body[: self.fragment], body[self.fragment :]
                    flag = (2 if received else 0) if first else 1
                    self.add(
                        time, 2, received, struct.pack("<HH", handle | flag << 12, len(piece)) + piece)
                    first = False
        return self.packets


CRC = bytes(3)


class AirCarrier:
    """In the air: (microseconds, sender or None, access address, bytes from there on)."""

    def __init__(self, rng, fragment):
        self.rng = rng
        self.fragment = min(fragment, 27 if rng.random() < 0.7 else 251)
        self.packets = []
        self.sequence = {}

    def add(self, time, link, access, sender, kind, payload):
        number = self.sequence.get((link, sender), 0)
        header = kind | number << 3 | self.rng.randrange(2) << 2
        body = struct.pack("<I", access) + bytes([header, len(payload)]) + payload + CRC
        self.packets.append((time, sender, body))
        if payload and self.rng.random() < 0.05:
            # It was not acknowledged, and comes again.
            again = bytearray(body)
            again[4] ^= 4
            self.packets.append((time + 150, sender, bytes(again)))
        self.sequence[(link, sender)] = number ^ 1

    def empty(self, time, link, access, sender):
        self.add(time, link, access, sender, 1, b"")

    def pack(self, story):
        access = {}
        for time, link, sender, message in story.said:
            if sender == "up":
                access[link] = self.rng.randrange(1, 2**32) | 0x01000000
                self.sequence.pop((link, 0), None)
                self.sequence.pop((link, 1), None)
                header = 5 | (message.random_address << 7) | 0x40
                payload = address(0x0A0000000001) + address(message.address)
                payload += struct.pack("<I", access[link]) + self.rng.randbytes(18)
                body = struct.pack("<I", 0x8E89BED6) + bytes([header, len(payload)]) + payload + CRC
                self.packets.append((time, 0, body))
            elif sender == "down":
                self.add(time, link, access[link], 1, 3, bytes([0x02, message]))
            else:
                if self.rng.random() < 0.3:
                    self.empty(time - 300, link, access[link], 0)
                    self.empty(time - 150, link, access[link], 1)
                body = l2cap(message)
                kind = 2
                while body:
                    # The two ends take turns, and the central begins.
                    if sender == 1:
                        self.empty(time - 50, link, access[link], 0)
                    piece, body = body[: self.fragment], body[self.fragment :]
                    self.add(time, link, access[link], sender, kind, piece)
                    kind = 1
                    if sender == 0:
                        self.empty(time + 50, link, access[link], 1)
        return self.packets


def packed(story, carrier, rng):
    """The packets of a story: (microseconds, btsnoop's flags, adapter, is received, bytes)."""
    fragment = rng.choice([251, 251, 27, 48, 1024])
    result = []
    if carrier in ("air", "air-header", "nordic"):
        counter = 0
        for time, sender, body in AirCarrier(rng, fragment).pack(story):
            if carrier == "air-header":
                kind = 0 if body[:4] == struct.pack("<I", 0x8E89BED6) else 2 + sender
                flags = 0x0001 | 0x0002 | 0x0400 | 0x0800 | 0x0010 | kind << 7
                body = struct.pack("<BbbBIH", 37, -50, -90, 0, 0, flags) + body
            elif carrier == "nordic":
                flags = 1 | (2 if sender == 0 else 0)
                meta = bytes([10, flags, 37, 50]) + struct.pack("<HI", counter, 150)
                body = meta + body
                body = bytes([7]) + struct.pack("<HBHB", len(body), 3, counter % 65536, 6) + body
                counter += 1
            result.append((time, 0, 0, sender == 1, body))
        return result
    for time, kind, received, body in HostCarrier(rng, fragment).pack(story):
        flags = int(received)
        if carrier == "monitor":
            flags = {(1, False): 2, (4, True): 3, (2, False): 4, (2, True): 5}[(kind, received)]
        elif kind in (1, 4):
            flags |= 2
        if carrier in ("h4", "h4-direction"):
            body = bytes([kind]) + body
        if carrier == "h4-direction":
            body = struct.pack(">I", received) + body
        result.append((time, flags, 0, received, body))
    return result


# Files.


def btsnoop(packets, carrier):
    link = {"h4": 1002, "h1": 1001, "monitor": 2001}[carrier]
    out = [b"btsnoop\0" + struct.pack(">II", 1, link)]
    for time, flags, adapter, _, body in packets:
        flags |= adapter << 16 if carrier == "monitor" else 0
        out.append(
            struct.pack(">IIIIQ", len(body), len(body), flags, 0, time + 0x00DCDDB30F2F8000) + body)
    return b"".join(out)


def with_monitor_header(carrier, flags, adapter, body):
    return struct.pack(">HH", adapter, flags) + body if carrier == "monitor" else body


def pcap(packets, carrier, rng):
    order = rng.choice("<>")
    nanoseconds = rng.random() < 0.5
    magic = 0xA1B23C4D if nanoseconds else 0xA1B2C3D4
    out = [struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, 65535, LINK_TYPES[carrier])]
    for time, flags, adapter, _, body in packets:
        body = with_monitor_header(carrier, flags, adapter, body)
        fraction = time % 1_000_000 * (1000 if nanoseconds else 1)
        out.append(struct.pack(order + "IIII", time // 1_000_000, fraction, len(body), len(body)) + body)
    return b"".join(out)


def pcapng(packets, carrier, rng):
    order = rng.choice("<>")
    resolution = rng.choice([None, 3, 6, 9, 0x80 | 20])
    offset = rng.choice([None, None, 1_700_000_000])

    def block(kind, body):
        body += b"\0" * (-len(body) % 4)
        length = 12 + len(body)
        return struct.pack(order + "II", kind, length) + body + struct.pack(order + "I", length)

    def option(code, value):
        return struct.pack(order + "HH", code, len(value)) + value + b"\0" * (-len(value) % 4)

    header = struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1) + option(4, b"a sniffer") + option(0, b"")
    out = [block(0x0A0D0D0A, header)]
    options = option(2, b"bluetooth0")
    if resolution is not None:
        options += option(9, bytes([resolution]))
    if offset is not None:
        options += option(14, struct.pack(order + "q", offset))
    out.append(block(1, struct.pack(order + "HHI", LINK_TYPES[carrier], 0, 0) + options + option(0, b"")))
    per_second = 10**6 if resolution is None else 2 ** (resolution & 127) if resolution & 128 else 10**resolution
    for index, (time, flags, adapter, received, body) in enumerate(packets):
        body = with_monitor_header(carrier, flags, adapter, body)
        units = (time - (offset or 0) * 1_000_000) * per_second // 1_000_000
        padded = body + b"\0" * (-len(body) % 4)
        fixed = (units >> 32, units & 0xFFFFFFFF, len(body), len(body))
        if rng.random() < 0.05:
            out.append(block(5, struct.pack(order + "III", 0, 0, 0)))  # statistics
        if rng.random() < 0.05:
            out.append(block(0x00000BAD, struct.pack(order + "I", 32473) + b"custom"))
        if rng.random() < 0.02:
            out.append(block(2, struct.pack(order + "HHIIII", 0, 0, *fixed) + padded))
        else:
            direction = option(2, struct.pack(order + "I", 1 if received else 2)) + option(0, b"")
            out.append(block(6, struct.pack(order + "IIIII", 0, *fixed) + padded + direction))
    return b"".join(out)


# Text.

TEXTS = ["btmon", "gatttool", "bleak", "lines"]


def as_text(story, form, rng):
    """What programs print of a story's notifications, with the handles where they tell them."""
    out = ["Bluetooth monitor ver 5.66"] if form == "btmon" else []
    handles = set()
    for number, (time, _, sender, message) in enumerate(story.said):
        if sender != 1 or message[:1] != b"\x1b":
            continue
        handle, value = struct.unpack("<H", message[1:3])[0], message[3:]
        seconds = (time - EPOCH) / 1e6
        if form == "btmon":
            heading = f"> ACL Data RX: Handle 64 flags 0x02 dlen {len(message) + 4}"
            heading += f"   #{number} [hci0] {seconds:.6f}"
            out += [heading, f"      ATT: Handle Value Notification (0x1b) len {len(message) - 1}"]
            known = " Type: Heart Rate Measurement (0x2a37)" if handle not in handles else ""
            out += [f"        Handle: 0x{handle:04x}{known}", f"          Data: {value.hex()}"]
            handles.add(handle)
        elif form == "gatttool":
            out.append(f"Notification handle = 0x{handle:04x} value: {value.hex(' ')} ")
        elif form == "bleak":
            out.append(f"00002a37-0000-1000-8000-00805f9b34fb (Handle: {handle}): {bytearray(value)}")
        else:
            out.append(value.hex() if rng.random() < 0.5 else str(list(value)))
    return ("\n".join(out) + "\n").encode()


def written(story, form, carrier, seed):
    """A story as the bytes of a file."""
    rng = random.Random(f"{seed} {form} {carrier}")
    packets = packed(story, carrier, rng)
    if form == "btsnoop":
        return btsnoop(packets, carrier)
    return (pcap if form == "pcap" else pcapng)(packets, carrier, rng)
