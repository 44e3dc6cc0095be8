// The heat-maps of a walk's route. That of the heart rate comes from the server and is not computed
// twice; the others are made of the walk's own series.

import { measured, meanOf } from "./series.js";
import { count, duration, zoneNumber, zones } from "./words.js";

/** The heat-maps that can be shown, by their name in the list. */
export const heatTypes = [
    { key: "heart", name: "Heart rate" },
    { key: "cadence", name: "Cadence" },
    { key: "elevation", name: "Elevation" },
    { key: "pace", name: "Pace" },
    { key: "consistency", name: "Pace consistency" },
    { key: "stress", name: "Stress (HRV)" },
];

/** Whether a walk has what a heat-map needs. */
export function hasHeat(session, key) {
    if (key === "heart") return (session.samples ?? []).length > 0;
    if (key === "elevation") {
        return session.track.some((point) => point.altitudeMillimetres != null);
    }
    if (key === "cadence") return (session.steps?.session ?? 0) > 0;
    if (key === "stress") return (session.rr?.count ?? 0) > 0;
    return session.track.length > 2;
}

/** Whether a heat-map needs what only the walk's events have. */
export const needsReadings = (key) => key === "cadence" || key === "stress";

/**
 * `{segments, legend}` of a heat-map; legend is `[{zone, name, from}]`. `readings` are the steps
 * and beats of the walk.
 */
export function heat(session, key, readings = null) {
    if (key === "heart") return heartHeat(session);
    const points = measured(session.track);
    const pieces = session.heatMap?.length > 0 ? session.heatMap : piecesOf(points.length);
    const values = pieces.map((piece) =>
        valueOf(key, points.slice(piece.firstPoint, piece.lastPoint + 1), readings));
    const known = values.filter((value) => value !== null);
    const mean = meanOf(known);
    const scaled = key === "consistency"
        ? values.map((value) => (value === null ? null : Math.abs(value / mean - 1) * 100))
        : values;
    const limits = limitsOf(key, scaled.filter((value) => value !== null));
    const segments = pieces.map((piece, index) => {
        const value = scaled[index];
        const zone = value === null ? 0 : zoneIn(limits, value);
        const [low, high] = [limits[zone - 1], limits[zone]];
        const share = value === null || high === low ? 1 : (value - low) / (high - low);
        return {
            ...piece, zone, opacity: Math.max(.4, Math.min(1, .4 + .6 * share)),
            label: value === null ? "No value" : shown(key, value),
        };
    });
    return { segments, legend: legendOf(key, limits) };
}

function heartHeat(session) {
    const segments = (session.heatMap ?? []).map((segment) => ({
        ...segment, zone: segment.zone === null ? 0 : zoneNumber(segment.zone),
        opacity: Number(segment.opacity),
        label: segment.mean === null ? "No heart rate" : `${Math.round(segment.mean)} BPM`,
    }));
    const legend = [...zones.map(({ name, from }, index) => ({ zone: index + 1, name, from })),
        { zone: 0, name: "No heart rate", from: "" }];
    return { segments, legend };
}

function piecesOf(number) {
    const size = Math.max(2, Math.floor(number / 50));
    const pieces = [];
    for (let first = 0; first < number - 1; first += size) {
        pieces.push({ firstPoint: first, lastPoint: Math.min(first + size, number - 1) });
    }
    return pieces;
}

function valueOf(key, points, readings) {
    if (needsReadings(key)) {
        const from = points[0].elapsedMilliseconds;
        const to = points.at(-1).elapsedMilliseconds;
        if (readings === null) return null;
        const within = (list) => list.filter((one) =>
            one.elapsedMilliseconds > from && one.elapsedMilliseconds <= to);
        return key === "cadence" ? cadence(within(readings.steps), points.at(-1).moving
            - points[0].moving) : variation(within(readings.beats));
    }
    if (key === "elevation") {
        return meanOf(points.map((point) => point.altitudeMillimetres)
            .filter((altitude) => altitude != null));
    }
    const length = points.at(-1).distance - points[0].distance;
    const time = points.at(-1).moving - points[0].moving;
    return length < 1_000 || time <= 0 ? null : (time / length) * 1_000_000;
}

/** Steps a minute. */
const cadence = (readings, time) => (readings.length === 0 || time <= 0 ? null
    : (readings.reduce((sum, reading) => sum + reading.steps, 0) * 60_000) / time);

/**
 * RMSSD in milliseconds, negative so that more stress is more; a beat counts from 300 to 2,000 ms
 * and within 20 % of the one before. It needs some beats to mean anything.
 */
function variation(beats) {
    let before = null;
    const squares = [];
    for (const { ticks } of beats) {
        const length = (ticks * 1000) / 1024;
        const isSound = length >= 300 && length <= 2_000;
        if (isSound && before !== null && Math.abs(length - before) <= before * .2) {
            squares.push((length - before) ** 2);
        }
        before = isSound ? length : null;
    }
    return squares.length < 5 ? null : -Math.sqrt(meanOf(squares));
}

/** Five limits of four classes; a few strays at both ends do not stretch them. */
function limitsOf(key, values) {
    if (key === "consistency") return [0, 5, 10, 20, 40];
    const sorted = [...values].sort((one, other) => one - other);
    const low = sorted[Math.floor(sorted.length * .04)] ?? 0;
    const high = sorted[Math.ceil(sorted.length * .96) - 1] ?? low;
    return [0, 1, 2, 3, 4].map((k) => low + ((high - low) * k) / 4);
}

const zoneIn = (limits, value) => 1 + limits.slice(1, 4).filter((limit) => value >= limit).length;

function shown(key, value) {
    if (key === "elevation") return `${count(Math.round(value / 1000))} m`;
    if (key === "pace") return `${duration(value)} /km`;
    if (key === "cadence") return `${Math.round(value)} a minute`;
    if (key === "stress") return `${Math.round(-value)} ms`;
    return `${Math.round(value)} % off the mean`;
}

const names = {
    elevation: ["Low", "Lower half", "Upper half", "High"],
    pace: ["Fast", "Brisk", "Easy", "Slow"],
    cadence: ["Slow", "Easy", "Brisk", "Fast"],
    stress: ["Calm", "Fairly calm", "Tense", "Most tense"],
    consistency: ["Even", "Nearly even", "Uneven", "Very uneven"],
};

function legendOf(key, limits) {
    const list = names[key].map((name, index) => ({
        zone: index + 1, name,
        from: index === 0 ? `${key === "stress" ? "above" : "below"} ${shown(key, limits[1])}`
            : `${key === "stress" ? "up to" : "from"} ${shown(key, limits[index])}`,
    }));
    return [...list, { zone: 0, name: "No value", from: "" }];
}
