// Charts: SVG that the page draws itself, in the colours of its style, once more whenever a chart's
// box has another size. Where a line has no value it is broken.

import { el, replace, setAttribute, svg } from "./dom.js";
import { linesOf } from "./parts.js";

/** Pixels at a chart's left, for the labels of its values, and at its right. */
const [gutter, edge] = [50, 6];

/** The least and the most of values; a long list may not become arguments. */
export const endsOf = (values) => values.reduce(([least, most], one) =>
    [Math.min(least, one), Math.max(most, one)], [Infinity, -Infinity]);

/**
 * Where things are in a box: `x` of a moment, `y` of a value, which never leaves the chart, and
 * `at`, the moment of an x. `head` and `foot` are pixels above and below what is drawn.
 */
export function placeIn({ clientWidth: wide, clientHeight: high },
    { from, to, low, high: top, isDown, head = 0, foot = 0 }) {
    const [right, bottom] = [wide - edge, high - foot];
    const each = (right - gutter) / (to - from);
    return {
        wide, high, left: gutter, right, head, bottom, each,
        x: (at) => gutter + (at - from) * each,
        at: (x) => from + (x - gutter) / each,
        y: (value) => {
            const part = (value - low) / (top - low);
            return head + (bottom - head) * Math.max(0, Math.min(1, isDown ? part : 1 - part));
        },
    };
}

/** Of places in one pixel the first, the highest, the lowest and the last: no more can be seen. */
function seen(places) {
    const kept = [];
    let first = 0;
    for (let next = 1; next <= places.length; next += 1) {
        if (Math.floor(places[next]?.[0]) === Math.floor(places[first][0])) continue;
        const own = places.slice(first, next);
        const ys = own.map(([, y]) => y);
        const ends = endsOf(ys).map((end) => ys.indexOf(end)).concat(0, own.length - 1);
        for (const place of own.filter((_, index) => ends.includes(index))) kept.push(place);
        first = next;
    }
    return kept;
}

const tenths = (value) => Math.round(10 * value) / 10;

/**
 * A line through places `[x, y]`, broken where y is null; a place alone is a dot. Where `bottom` is
 * given, what is below the line is filled.
 */
export function lineOf(places, classes = "line", bottom = null) {
    const parts = [[]];
    for (const place of places) {
        if (place[1] !== null) parts.at(-1).push(place);
        else if (parts.at(-1).length > 0) parts.push([]);
    }
    const texts = parts.map((part) => seen(part).map(([x, y]) => `${tenths(x)} ${tenths(y)}`))
        .filter((part) => part.length > 0);
    // A line of no length has round ends.
    const draw = (name, close) => svg("path", { class: name, d: texts.map((part) =>
        `M${part.join("L")}${part.length > 1 ? "" : "h0"}${close(part)}`).join("") });
    return [bottom === null ? null
        : draw("area", (part) => `V${bottom}H${part[0].split(" ")[0]}z`), draw(classes, () => "")];
}

/** A slider that lies over a chart, for keys. */
export function scrubOf(label, attributes, go) {
    const scrub = el("input.scrub", { type: "range", min: 0, "aria-label": label, ...attributes,
        oninput: () => go(Number(scrub.value)) });
    return scrub;
}

/**
 * A chart in a box: `{label, from, to, low, high, isDown, head, foot, ticks, times, draw, drawn}`,
 * where `times(place, from, to)` are the labels below it, `draw(place)` is what else is in it, and
 * `drawn` is called after each time.
 */
export class Chart {
    constructor(box, parts) {
        Object.assign(this, { box, parts, from: parts.from, to: parts.to });
        this.sheet = svg("svg", { role: "img", "aria-label": parts.label });
        this.over = [svg("circle", { class: "point", r: 4, visibility: "hidden" })];
        box.append(this.sheet);
        new ResizeObserver(() => this.draw()).observe(box);
        // On paper a box has another size before anybody observes it.
        box.addEventListener("fit", () => this.draw());
    }

    draw() {
        const { box, parts, from, to } = this;
        if (box.clientWidth === 0) return;
        this.place = placeIn(box, { ...parts, from, to });
        const { x, y, left, right, head, bottom, high } = this.place;
        const times = parts.times?.(this.place, from, to) ?? [];
        replace(this.sheet, linesOf(parts.ticks, y, left, right),
            svg("path", { class: "axis side", d: `M${left} ${head}V${bottom}` }),
            parts.times ? svg("path", { class: "axis", d: `M${left} ${bottom}H${right}` }) : null,
            times.filter(({ v }) => from <= v && v <= to).flatMap(({ v, label }) => [
                svg("path", { class: "axis", d: `M${x(v)} ${bottom}v5` }),
                svg("text", { x: x(v), y: high - 6, "text-anchor": x(v) < left + 16 ? "start"
                    : x(v) > right - 16 ? "end" : "middle" }, label)]),
            // Whatever is beyond the part that is shown is cut; what is at the ends of all is not.
            svg("svg", { x: left, width: right - left, height: high,
                overflow: to - from < parts.to - parts.from ? "hidden" : "visible",
                viewBox: `${left} 0 ${right - left} ${high}` }, parts.draw(this.place)),
            this.over);
        this.point(this.row);
        parts.drawn?.();
    }

    /** The moment at which a pointer is. */
    momentOf({ clientX }) {
        return this.place?.at(clientX - this.box.getBoundingClientRect().left);
    }

    /** Points at a row, `[moment, value]`; without a value at nothing. */
    point(row) {
        this.row = row;
        const [at, value = null] = row ?? [];
        const isShown = this.place && value !== null && this.from <= at && at <= this.to;
        const [dot] = this.over;
        setAttribute(dot, "visibility", isShown ? null : "hidden");
        if (!isShown) return;
        setAttribute(dot, "cx", this.place.x(at));
        setAttribute(dot, "cy", this.place.y(value));
    }

    /** Shows a part, which stays within the whole. */
    show(from, to) {
        const { from: first, to: last } = this.parts;
        const size = Math.max(Math.min(to - from, last - first), (last - first) / 500);
        this.from = Math.max(first, Math.min(from, last - size));
        this.to = this.from + size;
        this.draw();
    }
}

/**
 * Zooms a chart: a mouse draws the part to show, with Shift it moves it, and two clicks show all;
 * a finger moves it, two spread it; `+`, `-` and `0` are for whoever has `keys` for it.
 */
export function zoomBy(chart, keys) {
    const { box } = chart;
    const brush = svg("rect", { class: "brush", height: "100%", visibility: "hidden" });
    chart.over.push(brush);
    // The pointers that are down: where each is, and the moment that stays below it.
    const held = new Map();
    let begin = null;
    const x = ({ clientX }) => clientX - box.getBoundingClientRect().left;
    const release = (event) => {
        const [left, right] = endsOf([begin ?? 0, x(event)]);
        if (begin !== null && event.type === "pointerup" && right - left > 8) {
            chart.show(chart.place.at(left), chart.place.at(right));
        }
        begin = null;
        held.delete(event.pointerId);
        setAttribute(brush, "visibility", "hidden");
    };
    box.addEventListener("pointerdown", (event) => {
        if (event.button !== 0 || !chart.place) return;
        box.setPointerCapture(event.pointerId);
        held.set(event.pointerId, { x: x(event), at: chart.momentOf(event) });
        begin = event.pointerType === "mouse" && !event.shiftKey ? x(event) : null;
    });
    box.addEventListener("pointermove", (event) => {
        const own = held.get(event.pointerId);
        if (!own) return;
        own.x = x(event);
        if (begin !== null) {
            const [left, right] = endsOf([begin, own.x]);
            Object.entries({ visibility: null, x: left, width: right - left })
                .forEach(([name, value]) => setAttribute(brush, name, value));
            return;
        }
        const { left, right, each } = chart.place;
        const [one, other] = held.values();
        const pixel = other ? Math.abs((one.at - other.at) / (one.x - other.x || 1)) : 1 / each;
        const from = one.at - (one.x - left) * pixel;
        chart.show(from, from + (right - left) * pixel);
    });
    box.addEventListener("pointerup", release);
    box.addEventListener("pointercancel", release);
    const whole = () => chart.show(chart.parts.from, chart.parts.to);
    box.addEventListener("dblclick", whole);
    keys.addEventListener("keydown", ({ key }) => {
        if (key === "0") whole();
        const by = { "+": .5, "=": .5, "-": 2 }[key];
        if (!by) return;
        const half = (chart.to - chart.from) / 2;
        const middle = chart.row?.[0] ?? chart.from + half;
        chart.show(middle - by * half, middle + by * half);
    });
    keys.setAttribute("aria-keyshortcuts", "+ - 0");
}

/** Minutes between two labels of an axis of time. */
const steps = [1, 2, 5, 10, 20, 30, 60, 120, 180, 360, 720, 1_440];

/**
 * Labels of an axis in milliseconds, so that each has about 64 pixels. `clock` has what the
 * walker's clock showed each few minutes: `{from, minute, stepMinutes, texts}`.
 */
export function timeTicks({ from: first, minute, stepMinutes, texts }) {
    return ({ left, right }, from, to) => {
        const room = Math.max(2, Math.floor((right - left) / 64));
        const every = steps.find((step) => step >= stepMinutes
            && (to - from) / (step * 60_000) <= room) ?? 1_440;
        return texts.map((label, index) => ({ v: first + index * stepMinutes * 60_000, label }))
            // A label at the very edge would cover the other axis.
            .filter(({ v }, index) => (minute + index * stepMinutes) % every === 0 && v <= to
                && v - from > every * 7_500);
    };
}

/** What that clock showed at a moment. */
export const clockAt = ({ from, stepMinutes, texts }, at) =>
    texts[Math.floor((at - from) / (stepMinutes * 60_000))] ?? texts.at(-1);
