// The chart of a walk's heart rate: the line with its gaps, why there are gaps, marks, and a value
// that stood alone.

import { font, ring } from "./chart.js";
import { lastUntil } from "./cursor.js";

const bandColours = { noContact: "caution-soft" };

/**
 * Heart rate over a walk, as a lane: how it is drawn, and what there is at a moment. A value that
 * stood alone and the gaps are the server's, as its chart has them.
 */
export function heartLane({ samples, view: { heart: { chart }, marks } }) {
    const rows = heartRows(samples, chart);
    const bandAt = (at) => chart.bands.find(({ from, to }) => from < at && at < to);
    // Whatever is not fresh is in a band.
    const sampleAt = (at) => (bandAt(at) ? null
        : samples[lastUntil(samples, at, (one) => one.elapsedMilliseconds)] ?? null);
    return {
        label: chart.label, ticks: chart.ticks, sampleAt,
        textAt: (at) => {
            const sample = sampleAt(at);
            return sample ? `${sample.bpm} ${chart.unit}` : bandAt(at)?.name ?? chart.nothing;
        },
        rowAt: (at) => Math.max(0, lastUntil(rows, at, ([moment]) => moment)),
        make: (paint) => ({
            rows,
            options: {
                labels: ["elapsed", "BPM", "alone"], valueRange: [chart.low, chart.high],
                colors: [paint("heart"), paint("heart")], strokeWidth: 1.75,
                underlayCallback: (context, area, graph) => {
                    paintBands(context, area, graph, chart.bands, marks.length > 0, paint);
                    paintMarks(context, area, graph, marks, paint);
                },
                series: {
                    alone: {
                        strokeWidth: 0, drawPoints: true, pointSize: 4,
                        drawPointCallback: loneMark(chart.lone?.text, paint),
                    },
                },
            },
        }),
    };
}

/**
 * Samples, and in each band a row without a value: no line leads across, and it can be pointed at.
 */
function heartRows(samples, { bands, lone }) {
    const rows = [];
    let next = 0;
    const addBands = (until) => {
        for (; next < bands.length && bands[next].from < until; next += 1) {
            rows.push([(bands[next].from + Math.min(bands[next].to, until)) / 2, null, null]);
        }
    };
    for (const { elapsedMilliseconds: at, bpm } of samples) {
        addBands(at);
        rows.push([at, bpm, lone?.at === at ? bpm : null]);
    }
    addBands(Infinity);
    return rows;
}

/** Marks as thin lines; with a text where there is room for it. */
function paintMarks(context, area, graph, marks, paint) {
    context.font = font(document.body);
    context.textAlign = "left";
    let free = -Infinity;
    for (const mark of marks) {
        const x = Math.round(graph.toDomXCoord(mark.elapsedMilliseconds)) + .5;
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

function paintBands(context, area, graph, bands, isBelowMarks, paint) {
    const top = area.y + (isBelowMarks ? 36 : 16);
    context.textAlign = "center";
    context.font = font(document.body);
    for (const band of bands) {
        const [left, width] = paintBand(context, area, graph, band, paint);
        if (width < 54) continue;
        context.fillStyle = paint("ink-2");
        context.fillText(band.name, left + width / 2, top);
        context.fillText(band.length, left + width / 2, top + 16);
    }
}

/** The ground of a stretch; returns its left edge and its width. */
export function paintBand(context, area, graph, { from, to, kind }, paint) {
    const left = graph.toDomXCoord(from);
    const width = Math.max(3, graph.toDomXCoord(to) - left);
    context.fillStyle = paint(bandColours[kind] ?? "sunken");
    context.fillRect(left, area.y, width, area.h);
    return [left, width];
}

function loneMark(text, paint) {
    return (graph, _, context, x, y) => {
        ring(context, x, y, 4, paint("surface"), paint("heart"));
        const toLeft = x > graph.getArea().x + graph.getArea().w - 90;
        context.font = font(document.body);
        context.fillStyle = paint("ink-2");
        context.textAlign = toLeft ? "right" : "left";
        context.fillText(text, x + (toLeft ? -9 : 9), y + 4);
    };
}
