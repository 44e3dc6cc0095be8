// Along the way: the heart rate and below it pace, height and cadence, each where there is a
// source, on one axis of time. A cursor goes through all of them, by pointer, finger and arrows.

import { Chart, clockAt, lineOf, scrubOf, timeTicks } from "./chart.js";
import { el, replace, setAttribute, setText, svg } from "./dom.js";
import { bandOf, heartLane } from "./heart-chart.js";
import { sentences } from "./words.js";

/** How long somebody rests at one value before its bytes are asked for. */
const restMilliseconds = 150;

/**
 * The lanes of a session: `{node, readout, below}`, the last two for above them and below.
 * `raw(position)` describes an event, and `open(position)` shows it.
 */
export function lanesOf(session, cursor, made, { raw, open }) {
    const { view: { along, heart }, elapsedMilliseconds: elapsed } = session;
    const readout = el("p.readout", { "aria-hidden": "true" }, el("span", sentences.cursorHint));
    // Bytes come later than the rest, and have a place of their own: nothing moves for them.
    const below = el("p.bytes.mono", { "aria-hidden": "true" });
    const scrub = scrubOf("Moment of the walk", { max: elapsed, step: along.step, value: 0,
        "aria-valuetext": sentences.cursorHint }, (at) => cursor.set(at));
    const hair = svg("line", { class: "hair", y1: 0, y2: "100%", visibility: "hidden" });
    const heartData = heart ? heartLane(session) : null;
    const lanes = [...heartData ? [{ name: along.heart, key: "heart", lane: heartData }] : [],
        ...along.lanes.map((lane) => ({ ...lane, lane: courseLane(lane, along, elapsed) }))];
    const boxes = lanes.map(({ key }, index) => el("div",
        { class: `plot of-${key} ${index === lanes.length - 1 ? "last" : ""}` }));
    const node = el("div.lanes", scrub, svg("svg", { "aria-hidden": "true" }, hair),
        lanes.flatMap(({ name }, index) => [el("p.what", name), boxes[index]]));
    const charts = lanes.map(({ lane }, index) => new Chart(boxes[index], {
        from: 0, to: Math.max(1000, elapsed), head: 6,
        ...index === lanes.length - 1 ? { foot: 24, times: timeTicks(along.clock) } : { foot: 4 },
        ...lane, drawn: index === 0 ? () => move(cursor.at) : null,
    }));
    let rest = 0;

    const move = (at) => {
        const x = at === null ? undefined : charts[0].place?.x(at);
        setAttribute(hair, "visibility", x === undefined ? "hidden" : null);
        if (x === undefined) return;
        setAttribute(hair, "x1", x);
        setAttribute(hair, "x2", x);
        for (const chart of charts) chart.point(chart.parts.rowAt(at));
    };
    const tell = (at) => {
        clearTimeout(rest);
        scrub.value = at;
        const sample = heartData?.sampleAt(at);
        const texts = [clockAt(along.clock, at), heartData?.textAt(at),
            along.texts[Math.floor(at / along.step)]].filter((text) => text);
        // Each value stands for itself: a line of a narrow screen ends between two.
        const parts = texts.flatMap((text) => text.split(" · "));
        const zone = sample
            && heart.chart.zones.find(({ to }, index, all) => sample.bpm < to || !all[index + 1]);
        replace(readout, parts.map((text, index) => el("span",
            zone && index === 1 ? el(`i.dot.z${zone.zone}`) : null, text)));
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
        const at = charts[0].momentOf(event);
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
    made.push({ destroy: () => clearTimeout(rest) });
    return { node, readout, below };
}

/** Pace, height or cadence: a value a stretch, broken where there is none. */
function courseLane({ key, label, low, high, ticks, values },
    { step, pauses, kilometres, lanes }, elapsed) {
    const rows = values.map((value, index) => [Math.min((index + .5) * step, elapsed), value]);
    return {
        label, low, high, ticks,
        rowAt: (at) => rows[Math.min(Math.floor(at / step), rows.length - 1)],
        draw: (place) => [pauses.map((pause) => bandOf(pause, place)),
            lineOf(rows.map(([at, value]) => [place.x(at), value === null ? null : place.y(value)]),
                "line", key === "height" ? place.bottom : null),
            key === (lanes.find((one) => one.key === "height") ?? lanes[0]).key
                ? kilometres.map(({ at, name }) => svg("text", { x: place.x(at),
                    y: place.bottom - 5, "text-anchor": "middle" }, name)) : null],
    };
}
