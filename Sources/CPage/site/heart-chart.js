// The chart of a walk's heart rate: the line with its gaps, why there are gaps, marks, and a value
// that stood alone. A walk of a day has more samples than pixels: it is thinned first.

import { Chart, font, ring, ticks, timeTicks } from "./chart.js";
import { clock, duration } from "./words.js";

const bandColours = { noContact: "caution-soft" };
const bandNames = { noContact: "no contact" };

/** Where a walk has no heart rate, and why: `{kind, name, from, to, length}`, in order. */
export const bandsOf = (session) =>
    session.intervals.map(({ kind, startMilliseconds: from, endMilliseconds: to }) =>
        ({ kind, name: bandNames[kind] ?? kind, from, to, length: duration(to - from) }));

/**
 * Heart rate over a walk. `walk`: samples, min, max, start (milliseconds since 1970), elapsed,
 * offset, limits of the zones, bands of `bandsOf`, lone {at, bpm} or null, marks [{at, text}],
 * raw(position), which tells of an event, and open(position), which shows it.
 */
export function heartChart(box, label, walk, readout) {
    const rows = heartRows(thinned(broken(walk.samples, walk.bands), walk.lone?.at), walk.lone?.at);
    const low = Math.min(60, Math.floor((walk.min - 5) / 10) * 10);
    const high = Math.max(190, Math.ceil((walk.max + 10) / 10) * 10);
    const limits = walk.limits.filter((limit) => limit > low);
    const positions = new Map(walk.samples.map((sample) =>
        [sample.elapsedMilliseconds, sample.position]));
    const clockOf = (elapsed) => clock(walk.start + elapsed, walk.offset);
    const offset = walk.start + walk.offset * 60_000;
    const make = (paint) => ({
        rows,
        tell: (x, points) => (points[0]?.yval == null ? ""
            : `${clockOf(x)}, ${points[0].yval} BPM`),
        more: (x) => (positions.has(x) ? walk.raw(positions.get(x)) : ""),
        pick: (x) => positions.has(x) && walk.open(positions.get(x)),
        options: {
            labels: ["elapsed", "BPM", "alone"], valueRange: [low, high],
            dateWindow: [0, Math.max(1000, walk.elapsed)],
            colors: [paint("heart"), paint("heart")], strokeWidth: 1.75,
            underlayCallback: (context, area, graph) => {
                paintBands(context, area, graph, walk, paint);
                paintMarks(context, area, graph, walk.marks ?? [], paint);
            },
            series: {
                alone: {
                    strokeWidth: 0, drawPoints: true, pointSize: 4,
                    drawPointCallback: loneMark(paint),
                },
            },
            axes: {
                x: { ticker: timeTicks(offset, clockOf), drawGrid: false, axisTickSize: 8 },
                y: { ticker: ticks([low, ...limits], String), axisLabelWidth: 32 },
            },
        },
    });
    return new Chart(box, label, make, readout);
}

/** The samples, with a note of each that comes after a band: no line leads to it. */
function broken(samples, bands) {
    let next = 0;
    return samples.map((sample) => {
        const before = next;
        while (next < bands.length && bands[next].from < sample.elapsedMilliseconds) next += 1;
        return { ...sample, isAfterGap: next > before };
    });
}

function heartRows(samples, loneAt) {
    const rows = [];
    let last = null;
    for (const { elapsedMilliseconds: at, bpm, isAfterGap } of samples) {
        if (last !== null && isAfterGap) rows.push([last + 1, null, null]);
        rows.push([at, bpm, loneAt === at ? bpm : null]);
        last = at;
    }
    return rows;
}

const mostRows = 12_000;

/**
 * At most some thousand samples: of each stretch the lowest and the highest, in order, and every
 * sample beside a gap.
 */
function thinned(samples, loneAt) {
    if (samples.length <= mostRows) return samples;
    const size = Math.ceil(samples.length / (mostRows / 4));
    const kept = [];
    for (let from = 0; from < samples.length; from += size) {
        const until = Math.min(from + size, samples.length);
        const chosen = new Set([from, until - 1]);
        let [low, high] = [from, from];
        for (let index = from; index < until; index += 1) {
            if (samples[index].bpm < samples[low].bpm) low = index;
            if (samples[index].bpm > samples[high].bpm) high = index;
            if (samples[index].isAfterGap) chosen.add(index).add(index - 1);
            if (samples[index].elapsedMilliseconds === loneAt) chosen.add(index);
        }
        for (const index of [...chosen.add(low).add(high)].sort((a, b) => a - b)) {
            if (index >= from) kept.push(samples[index]);
        }
    }
    return kept;
}

/** Marks as thin lines; a text stands where there is room for it. */
function paintMarks(context, area, graph, marks, paint) {
    context.font = font(document.body);
    context.textAlign = "left";
    let free = -Infinity;
    for (const mark of marks) {
        const x = Math.round(graph.toDomXCoord(mark.at)) + .5;
        context.beginPath();
        context.moveTo(x, area.y + 4);
        context.lineTo(x, area.y + area.h);
        context.lineWidth = 1;
        context.strokeStyle = paint("ink-3");
        context.stroke();
        context.beginPath();
        context.moveTo(x, area.y + 4);
        context.lineTo(x + 8, area.y + 8);
        context.lineTo(x, area.y + 12);
        context.fillStyle = paint("ink-2");
        context.fill();
        const text = mark.text.length > 24 ? `${mark.text.slice(0, 23)}…` : mark.text;
        const wide = context.measureText(text).width;
        if (text === "" || x < free || x + 12 + wide > area.x + area.w) continue;
        context.fillText(text, x + 12, area.y + 13);
        free = x + 18 + wide;
    }
}

function paintBands(context, area, graph, walk, paint) {
    const top = area.y + (walk.marks?.length > 0 ? 36 : 16);
    context.textAlign = "center";
    context.font = font(document.body);
    for (const band of walk.bands) {
        const left = graph.toDomXCoord(band.from);
        const width = Math.max(3, graph.toDomXCoord(band.to) - left);
        context.fillStyle = paint(bandColours[band.kind] ?? "sunken");
        context.fillRect(left, area.y, width, area.h);
        if (width < 54) continue;
        context.fillStyle = paint("ink-2");
        context.fillText(band.name, left + width / 2, top);
        context.fillText(band.length, left + width / 2, top + 16);
    }
}

function loneMark(paint) {
    return (graph, _, context, x, y, __, ___, row) => {
        ring(context, x, y, 4, paint("surface"), paint("heart"));
        const toLeft = x > graph.getArea().x + graph.getArea().w - 90;
        context.font = font(document.body);
        context.fillStyle = paint("ink-2");
        context.textAlign = toLeft ? "right" : "left";
        context.fillText(`${graph.getValue(row, 1)}, alone`, x + (toLeft ? -9 : 9), y + 4);
    };
}
