// The raw bytes of a heart-rate measurement (Bluetooth HRS 1.0, 3.1.1), split into parts for the
// log page. The server decodes what counts; this is for showing the bytes with their meaning.

/** Bytes of a hexadecimal text. */
export function bytesOf(hexadecimal) {
    const pairs = String(hexadecimal ?? "").match(/[0-9a-f]{2}/gi) ?? [];
    return pairs.map((pair) => Number.parseInt(pair, 16));
}

const hex = (bytes) => bytes.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");

/**
 * `{bpm, isCredible, contact, energy, intervals, parts, error}`; `parts` are `{hex, kind, value}` in order,
 * `error` is null or `{field, offset}` where the bytes ended.
 */
export function decodeHeartRate(hexadecimal) {
    const bytes = bytesOf(hexadecimal);
    const reading = { bpm: null, contact: null, energy: null, intervals: [], parts: [] };
    let at = 0;
    const take = (kind, count) => {
        const some = bytes.slice(at, at + count);
        if (some.length < count) {
            if (some.length > 0) reading.parts.push({ hex: hex(some), kind: "half", value: kind });
            reading.parts.push({ hex: "··", kind: "ended", value: bytes.length });
            return null;
        }
        at += count;
        const value = count === 2 ? some[0] + 256 * some[1] : some[0];
        reading.parts.push({ hex: hex(some), kind, value });
        return value;
    };
    const ended = (field) => ({ ...reading, error: { field, offset: bytes.length } });
    const flags = take("flags", 1);
    if (flags === null) return ended("flags");
    reading.contact = ["unsupported", "unsupported", "notDetected", "detected"][(flags >> 1) & 3];
    reading.bpm = take("bpm", flags & 1 ? 2 : 1);
    if (reading.bpm === null) return ended("bpm");
    // All bits set is no reading, and nobody's heart is below 20 or above 300.
    reading.isCredible = reading.bpm === 0 || (reading.bpm !== (flags & 1 ? 65_535 : 255)
        && reading.bpm >= 20 && reading.bpm <= 300);
    if (flags & 8) {
        reading.energy = take("energy", 2);
        if (reading.energy === null) return ended("energy");
    }
    if (flags & 16) {
        while (bytes.length - at >= 2) reading.intervals.push(take("interval", 2));
    }
    if (at < bytes.length) {
        reading.parts.push({ hex: hex(bytes.slice(at)), kind: "left", value: bytes.length - at });
    }
    return { ...reading, error: null };
}
