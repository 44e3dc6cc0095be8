// Along the way: the heart rate and below it pace, height and cadence, each where there is a
// source, on one axis of time. A cursor goes through all of them, by pointer, finger and arrows.

import { Chart, clockAt, ring, timeTicks } from "./chart.js";
import { lastUntil } from "./cursor.js";
import { el, replace, setAttribute, setText, svg } from "./dom.js";
import { heartLane, paintBand } from "./heart-chart.js";
import { sentences } from "./words.js";

/** How long somebody rests at one value before its bytes are asked for. */
const restMilliseconds = 150;

const colours = { pace: "c-distance", height: "line-strong", cadence: "c-today" };

/**
 * The lanes of a session: `{node, readout, below}`, the last two for above them and below.
 * `raw(position)` describes an event, and `open(position)` shows it.
 */
export function lanesOf(session, cursor, made, { raw, open }) {
    const { view: { along, heart }, elapsedMilliseconds: elapsed } = session;
    const readout = el("p.readout", { "aria-hidden": "true" }, el("span", sentences.cursorHint));
    // Bytes come later than the rest, and have a place of their own: nothing moves for them.
    const below = el("p.bytes.mono", { "aria-hidden": "true" });
    const scrub = el("input.scrub", {
        type: "range", min: 0, max: elapsed, step: along.step, value: 0,
        "aria-label": "Moment of the walk", "aria-valuetext": sentences.cursorHint,
        oninput: () => cursor.set(Number(scrub.value)),
    });
    const hair = svg("line", { class: "hair", y1: 0, y2: "100%", visibility: "hidden" });
    const node = el("div.lanes", scrub, svg("svg", { "aria-hidden": "true" }, hair));
    const heartData = heart ? heartLane(session) : null;
    const charts = [];
    const add = (name, key, lane) => {
        const box = el("div", { class: `plot of-${key}` });
        node.append(el("p.what", name), box);
        charts.push({ box, lane });
    };
    if (heartData) add(along.heart, "heart", heartData);
    for (const lane of along.lanes) add(lane.name, lane.key, courseLane(lane, along));
    let rest = 0;

    const move = (at) => {
        const x = charts[0]?.chart?.graph?.toDomXCoord(at);
        setAttribute(hair, "visibility", at === null || x === undefined ? "hidden" : null);
        if (at === null || x === undefined) return;
        setAttribute(hair, "x1", x);
        setAttribute(hair, "x2", x);
        for (const { chart, lane } of charts) chart.graph.setSelection(lane.rowAt(at));
    };
    const tell = (at) => {
        clearTimeout(rest);
        scrub.value = at;
        const sample = heartData?.sampleAt(at);
        const texts = [clockAt(along.clock, at), heartData?.textAt(at),
            along.texts[Math.floor(at / along.step)]].filter((text) => text);
        // Each value stands for itself: a line of a narrow screen ends between two.
        const parts = texts.flatMap((text) => text.split(" · "));
        replace(readout, parts.map((text) => el("span", text)));
        setAttribute(scrub, "aria-valuetext", parts.join(", "));
        setText(below, "");
        if (!sample) return;
        rest = setTimeout(async () => {
            const bytes = await raw(sample.position);
            if (cursor.at === at) setText(below, bytes);
        }, restMilliseconds);
    };
    cursor.listen(move);
    cursor.listen(tell);

    const pointed = (event) => {
        const { left } = node.getBoundingClientRect();
        const at = charts[0]?.chart?.graph?.toDataXCoord(event.clientX - left);
        if (at >= 0 && at <= elapsed) cursor.set(Math.round(at));
    };
    node.addEventListener("pointermove", pointed);
    node.addEventListener("pointerdown", pointed);
    node.addEventListener("click", (event) => {
        // A finger only moves the cursor: it would open an event by chance.
        const sample = event.pointerType === "mouse" && event.target.closest(".of-heart")
            ? heartData?.sampleAt(cursor.at) : null;
        if (sample) open(sample.position);
    });
    // The charts need a box that has a size: the card is put into the page first.
    queueMicrotask(() => {
        for (const [index, one] of charts.entries()) {
            const isLast = index === charts.length - 1;
            one.box.classList.toggle("last", isLast);
            one.chart = new Chart(one.box, one.lane.label, (paint) => {
                const { rows, options } = one.lane.make(paint);
                return { rows, options: { ...options, ...shared(paint, session),
                    axes: {
                        x: { ticker: timeTicks(along.clock), drawGrid: false, axisTickSize: 8,
                            drawAxis: isLast },
                        y: { ticker: () => one.lane.ticks, axisLabelWidth: 40 },
                    } } };
            });
            made.push(one.chart);
        }
        if (charts.some(({ chart }) => !chart.plane)) return;
        // After a change of size or theme the charts have forgotten what was selected.
        const watch = new ResizeObserver(() => requestAnimationFrame(() => move(cursor.at)));
        watch.observe(node);
        for (const { chart } of charts) chart.painted = () => move(cursor.at);
        made.push({ destroy: () => { watch.disconnect(); clearTimeout(rest); } });
    });
    return { node, readout, below };
}

const shared = (paint, { elapsedMilliseconds: elapsed }) => ({
    dateWindow: [0, Math.max(1000, elapsed)], interactionModel: {}, highlightCircleSize: 4,
    drawHighlightPointCallback: (_, __, context, x, y, stroke) =>
        ring(context, x, y, 4, paint("surface"), stroke),
});

/** Pace, height or cadence: a value a stretch, broken where there is none. */
function courseLane({ key, low, high, ticks, values, label }, { step, pauses }) {
    const rows = values.map((value, index) => [(index + .5) * step, value]);
    return {
        label, ticks,
        rowAt: (at) => Math.min(Math.floor(at / step), rows.length - 1),
        make: (paint) => ({
            rows,
            options: {
                labels: ["elapsed", key], valueRange: [low, high], strokeWidth: 1.75,
                colors: [paint(colours[key])], fillGraph: key === "height", fillAlpha: .2,
                underlayCallback: (context, area, graph) => {
                    for (const pause of pauses) paintBand(context, area, graph, pause, paint);
                },
            },
        }),
    };
}
