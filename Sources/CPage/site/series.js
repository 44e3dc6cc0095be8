// What can be computed from a walk's own series: gaps of the heart rate, and splits.

import { duration } from "./words.js";

const radius = 6_371_008_800;

/** Millimetres between two points. */
export function between(one, other) {
    const toRadians = Math.PI / 180 / 1e7;
    const [a, b] = [one.latitudeE7 * toRadians, other.latitudeE7 * toRadians];
    const north = Math.sin((b - a) / 2) ** 2;
    const east = Math.sin(((other.longitudeE7 - one.longitudeE7) * toRadians) / 2) ** 2;
    return 2 * radius * Math.asin(Math.sqrt(north + Math.cos(a) * Math.cos(b) * east));
}

/** A track with the distance and the moving time up to each point; gaps count for nothing. */
export function measured(track) {
    let distance = 0;
    let moving = 0;
    return track.map((point, index) => {
        if (index > 0 && !point.start) {
            distance += between(track[index - 1], point);
            moving += point.elapsedMilliseconds - track[index - 1].elapsedMilliseconds;
        }
        return { ...point, distance, moving };
    });
}

export const meanOf = (values) =>
    (values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length);

/**
 * Kilometre by kilometre by the track: `{length (mm), milliseconds, bpm, from, to}`; the last is
 * shorter. The server leaves out jumps and a receiver that wanders: the lengths sum to its
 * distance.
 */
export function splits(session) {
    const points = measured(session.track ?? []);
    const told = session.distanceMillimetres || points.at(-1)?.distance;
    const factor = told / points.at(-1)?.distance || 1;
    return cutUp(points.map((point) => ({ ...point, distance: point.distance * factor })),
        session.samples ?? []);
}

/** How many steps fell into each split. */
export const stepsOf = (list, steps) => list.map(({ from, to }) => steps.reduce((sum, reading) =>
    (reading.elapsedMilliseconds > from && reading.elapsedMilliseconds <= to ? sum + reading.steps
        : sum), 0));

/** The same by steps, where there is no track: each step counts as the walk's mean step. */
export function splitsBySteps(session, steps) {
    const total = steps.reduce((sum, reading) => sum + reading.steps, 0);
    const length = total > 0 ? (session.distanceMillimetres ?? 0) / total : 0;
    let distance = 0;
    return length === 0 ? [] : cutUp(steps.map((reading) => {
        distance += reading.steps * length;
        return { ...reading, distance };
    }), session.samples ?? []);
}

function cutUp(points, samples) {
    if (points.length < 2) return [];
    const found = [];
    let next = 0;
    const add = (from, to) => {
        const beats = [];
        for (; next < samples.length; next += 1) {
            const { elapsedMilliseconds: at, bpm } = samples[next];
            if (at > to.elapsedMilliseconds) break;
            if (at > from.elapsedMilliseconds) beats.push(bpm);
        }
        found.push({
            length: to.distance - from.distance, milliseconds: to.moving - from.moving,
            bpm: meanOf(beats), from: from.elapsedMilliseconds, to: to.elapsedMilliseconds,
        });
    };
    let from = points[0];
    for (let index = 1; index < points.length; index += 1) {
        // Between two points there may be more than one kilometre: a reading may come late.
        while (points[index].distance >= (found.length + 1) * 1_000_000) {
            const to = cut(points[index - 1], points[index], (found.length + 1) * 1_000_000);
            add(from, to);
            from = to;
        }
    }
    const last = points.at(-1);
    if (last.distance - from.distance > 10_000) add(from, last);
    return found;
}

/** The place between two points at which a distance was reached. */
function cut(before, after, distance) {
    const share = (distance - before.distance) / (after.distance - before.distance || 1);
    const at = (key) => before[key] + share * (after[key] - before[key]);
    return { distance, moving: at("moving"), elapsedMilliseconds: at("elapsedMilliseconds") };
}

/**
 * Where there is no heart rate: `{kind, from, to, length}`. The server's `intervals` say why; where
 * it does not tell them a gap has no name.
 */
export function bands(session) {
    const list = session.intervals ?? gapsOf(session);
    return list.map(({ kind, startMilliseconds: from, endMilliseconds: to }) =>
        ({ kind, from, to, length: duration(to - from) }));
}

function gapsOf(session) {
    const { samples = [], elapsedMilliseconds: elapsed } = session;
    const times = [0, ...samples.map((sample) => sample.elapsedMilliseconds), elapsed];
    return times.slice(1).flatMap((to, index) => {
        const from = times[index];
        if (to - from <= 10_000) return [];
        const kind = isWithoutLink(session, from, to) ? "disconnected" : "gap";
        return [{ kind, startMilliseconds: from, endMilliseconds: to }];
    });
}

/** Whether a gap lies between two spans of the link, but for the seconds around the loss. */
function isWithoutLink(session, from, to) {
    const ends = (session.link?.spans ?? []).map((span) => ({
        start: span.startMilliseconds, end: span.startMilliseconds + span.durationMilliseconds,
    }));
    return ends.some(({ end }, index) => Math.abs(end - from) < 3_000
        && Math.abs((ends[index + 1]?.start ?? Infinity) - to) < 6_000);
}
