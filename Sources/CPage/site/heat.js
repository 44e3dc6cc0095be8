// The heat-maps of a walk's route. The segments and their values come from the server; here they
// are put into classes, with the words of a legend.

import { count, duration, zoneNumber, zonesOf } from "./words.js";

/** The heat-maps that can be shown, by their name in the list. */
export const heatTypes = [
    { key: "heart", name: "Heart rate" },
    { key: "cadence", name: "Cadence" },
    { key: "elevation", name: "Elevation" },
    { key: "pace", name: "Pace" },
    { key: "consistency", name: "Pace consistency" },
    { key: "stress", name: "Stress (HRV)" },
];

/** What each type shows of a segment; null where there is no value. */
const valueOf = {
    heart: (segment) => segment.mean,
    cadence: (segment) => number(segment.cadence),
    elevation: (segment) => segment.altitudeMillimetres,
    pace: (segment) => segment.paceMilliseconds,
    consistency: (segment) => segment.paceMilliseconds,
    // More variability is less stress.
    stress: (segment) => (segment.rmssdMilliseconds === null ? null
        : -Number(segment.rmssdMilliseconds)),
};

const number = (text) => (text === null ? null : Number(text));

/** Whether a walk has what a heat-map needs. */
export const hasHeat = (session, key) =>
    session.heatMap.some((segment) => valueOf[key](segment) !== null);

/** `{segments, legend}` of a heat-map; legend is `[{zone, name, from}]`. */
export function heat(session, key) {
    if (key === "heart") return heartHeat(session);
    const values = scaled(key, session.heatMap.map(valueOf[key]));
    const limits = limitsOf(key, values.filter((value) => value !== null));
    const segments = session.heatMap.map((segment, index) => {
        const value = values[index];
        const zone = value === null ? 0 : zoneIn(limits, value);
        const [low, high] = [limits[zone - 1], limits[zone]];
        const share = value === null || high === low ? 1 : (value - low) / (high - low);
        return {
            ...segment, zone, opacity: Math.max(.4, Math.min(1, .4 + .6 * share)),
            label: value === null ? "No value" : shown(key, value),
        };
    });
    return { segments, legend: legendOf(key, limits) };
}

function heartHeat(session) {
    const segments = session.heatMap.map((segment) => ({
        ...segment, zone: segment.zone === null ? 0 : zoneNumber(segment.zone),
        opacity: Number(segment.opacity),
        label: segment.mean === null ? "No heart rate" : `${Math.round(segment.mean)} BPM`,
    }));
    const legend = zonesOf(session)
        .map(({ name, from }, index) => ({ zone: index + 1, name, from }));
    return { segments, legend: [...legend, { zone: 0, name: "No heart rate", from: "" }] };
}

/** Consistency is how far a pace is off the mean one, in percent. */
function scaled(key, values) {
    if (key !== "consistency") return values;
    const known = values.filter((value) => value !== null);
    const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
    return values.map((value) => (value === null ? null : Math.abs(value / mean - 1) * 100));
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
