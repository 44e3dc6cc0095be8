// The chart of a walk's heart rate: the line with its gaps, why there are gaps, marks, and a value
// that stood alone.

import { lineOf } from "./chart.js";
import { lastUntil } from "./cursor.js";
import { svg } from "./dom.js";

/** A letter of a mark's text is hardly wider. */
const letterPixels = 7.5;

/**
 * Heart rate over a walk, as a lane: how it is drawn, and what there is at a moment. A value that
 * stood alone and the gaps are the server's, as its chart has them.
 */
export function heartLane({ samples, view: { heart: { chart }, marks } }) {
    // In each band there is a row without a value: no line leads across, and it can be pointed at.
    const rows = [...samples.map((one) => [one.elapsedMilliseconds, one.bpm]),
        ...chart.bands.map(({ from }) => [from, null])].sort(([one], [other]) => one - other);
    const bandAt = (at) => chart.bands.find(({ from, to }) => from < at && at < to);
    // Whatever is not fresh is in a band.
    const sampleAt = (at) => (bandAt(at) ? null
        : samples[lastUntil(samples, at, (one) => one.elapsedMilliseconds)] ?? null);
    return {
        ...chart, sampleAt,
        textAt: (at) => {
            const sample = sampleAt(at);
            return sample ? `${sample.bpm} ${chart.unit}` : bandAt(at)?.name ?? chart.nothing;
        },
        rowAt: (at) => rows[Math.max(0, lastUntil(rows, at, ([moment]) => moment))],
        draw: (place) => [bandsOf(chart.bands, place, marks.length > 0),
            marksOf(marks, place, chart.lone ? place.x(chart.lone.at) : NaN),
            lineOf(rows.map(([at, bpm]) => [place.x(at), bpm === null ? null : place.y(bpm)])),
            zonesOf(chart, place),
            loneOf(samples, chart.lone, place)],
    };
}

/** The zones: a strip at the axis, and where there is room the names of those with an end. */
function zonesOf({ zones, low, bands }, { x, y, left, right }) {
    // Not where a band at the end has its own name.
    const isLeft = bands.some(({ to }) => x(to) > right - 70);
    return zones.map(({ zone, to, name }, index) => {
        const [top, bottom] = [y(to), y(zones[index - 1]?.to ?? low)];
        return [svg("rect", { class: `strip z${zone}`, x: left - 5, y: top + 1, width: 4,
            height: Math.max(0, bottom - top - 2) }), right < 380 ? null
            : svg("text", { class: "zone", x: isLeft ? left + 6 : right - 3, y: top + 14,
                "text-anchor": isLeft ? "start" : "end" }, name)];
    });
}

/** Marks as thin lines; with a text where there is room for it, also beside the lone value's. */
function marksOf(marks, { x, head, bottom, right }, lone) {
    let free = -Infinity;
    return marks.flatMap((mark) => {
        const at = Math.round(x(mark.elapsedMilliseconds)) + .5;
        const text = mark.text.length > 24 ? `${mark.text.slice(0, 23)}…` : mark.text;
        const end = at + 12 + letterPixels * text.length;
        const isNearLone = at < lone + 90 && end > lone - 90;
        const isShown = text !== "" && at >= free && end <= right && !isNearLone;
        if (isShown) free = end + 6;
        return [svg("path", { class: "mark", d: `M${at} ${head}V${bottom}` }),
            svg("path", { class: "flag", d: `M${at} ${head}l8 4l-8 4z` }),
            isShown ? svg("text", { class: "word", x: at + 12, y: head + 9 }, text) : null];
    });
}

/** The ground of a stretch. */
export function bandOf({ from, to, kind }, { x, head, bottom }) {
    const width = Math.max(3, x(to) - x(from));
    return svg("rect", { class: kind === "noContact" ? "band alert" : "band", x: x(from), y: head,
        width, height: bottom - head });
}

function bandsOf(bands, place, isBelowMarks) {
    const top = place.head + (isBelowMarks ? 32 : 16);
    return bands.flatMap((band) => {
        const [left, right] = [place.x(band.from), place.x(band.to)];
        return [bandOf(band, place), ...right - left < 54 ? []
            : [band.name, band.length].map((text, line) => svg("text", { class: "word",
                x: (left + right) / 2, y: top + 16 * line, "text-anchor": "middle" }, text))];
    });
}

function loneOf(samples, lone, { x, y, right }) {
    const sample = lone ? samples.find((one) => one.elapsedMilliseconds === lone.at) : null;
    if (!sample) return null;
    const [at, high] = [x(lone.at), y(sample.bpm)];
    const isToLeft = at > right - 2 * 80;
    return [svg("circle", { class: "lone", cx: at, cy: high, r: 4 }),
        svg("text", { class: "word", x: at + (isToLeft ? -9 : 9), y: high + 4,
            "text-anchor": isToLeft ? "end" : "start" }, lone.text)];
}
