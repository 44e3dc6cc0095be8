// Trends: one measure over weeks or months next to the span before, in one chart, with the sentence
// that compares them, all figures, and how they are worked out.

import { api } from "../api.js";
import { Chart, lineOf, scrubOf } from "../chart.js";
import { el, replace, setAttribute, svg } from "../dom.js";
import { icon } from "../icons.js";
import { card, redraw, table, tr } from "../parts.js";

const apart = 56;

const colours = { steps: "petrol", distance: "violet", active: "slate", climb: "grey",
    load: "amber", heart: "red", resting: "red", hrv: "petrol", pace: "violet" };

// Whoever looks elsewhere and comes back finds what was chosen.
const chosen = { measure: "steps", span: "4w" };

/** The loud figure and the sentence that says what it means. */
export const told = ({ loud, unit, loudName, sentence, note }) => el("div.lead",
    el("p.loud", loud === null ? el("i", "unknown") : el("strong", loud),
        unit ? el("small", unit) : null, el("span", loudName)),
    el("p.say", sentence, note ? el("span.note", note) : null));

/** Shows a trend. */
export async function showTrends(page, body, again, [, measure, span]) {
    page.trend ??= { measure: measure ?? chosen.measure, span: span ?? chosen.span };
    page.turn += 1;
    const { turn } = page;
    const { view } = await api.trends(page.trend.measure, page.trend.span);
    if (page.gone || turn !== page.turn) return;
    Object.assign(chosen, { measure: view.measure, span: view.span });
    replace(page.head, el("h1", "Trends"));
    if (view.isEmpty) {
        replace(body, page.blank());
        return;
    }
    const choose = (what) => {
        Object.assign(page.trend, what);
        page.settle("trends", page.trend.measure, page.trend.span);
        again();
    };
    const readout = el("p.readout");
    const box = view.loud === null ? null
        : chartOf(view.chart, colours[view.measure], readout);
    redraw(body, () => replace(body, choices(view, choose), told(view),
        view.caution.length > 0 ? el("div.told", icon("alert"),
            el("p", el("strong", view.caution[0]), " ", view.caution[1])) : null,
        el(box ? "section.card.one" : "section.one", { "aria-label": "Chart" },
            el("div.card-head", readout,
                el("div.seg.small", { role: "group", "aria-label": "Span" },
                    view.spans.map(({ key, name }) => el("button", { type: "button",
                        "aria-label": name, "aria-pressed": String(key === view.span),
                        onclick: () => choose({ span: key }) }, name)))),
            box, box && keyOf(view.key, colours[view.measure])),
        el("div.grid.two",
            box && card("The figures", "The figures", view.table.note, table(view.table.columns,
                view.table.rows.map(({ isSum, cells }) => tr(cells, isSum ? "sum" : null)))),
            el("section.card.how", { "aria-label": "How it is worked out" },
                el("div.card-head", el("h2", "How it is worked out")),
                view.how.map((text) => (text.startsWith("`")
                    ? el("p.formula", text.replaceAll("`", "")) : el("p", text)))))));
}

function choices({ measures, measure }, choose) {
    const select = el("select", { "aria-label": "Measure",
        onchange: () => choose({ measure: select.value }) },
    measures.map(({ key, name }) => el("option", { value: key }, name)));
    select.value = measure;
    return el("div.choose",
        el("fieldset.pills.wide-only", el("legend.vh", "Measure"),
            measures.map(({ key, name }) => {
                const input = el("input", { type: "radio", name: "measure", "aria-label": name,
                    onchange: () => choose({ measure: key }) });
                input.checked = key === measure;
                return el("label", input, el("span", name));
            })),
        el("div.select.narrow-only", select, icon("down", "i-s")));
}

function keyOf(entries, colour) {
    const rect = (classes) => svg("rect", { class: classes, x: 2, width: 14, height: 14, rx: 4 });
    const path = (classes, d) => svg("path", { class: classes, d });
    const shapes = {
        now: () => [rect("b1")],
        before: () => [rect("b0")],
        means: () => [path("m1", "M0 4.5H18"), path("m0", "M0 10.5H18")],
        goal: () => [path("goal", "M0 7H18")],
        cut: () => [rect("b1"), path("gap", "M0 8l18 -4v3l-18 4z")],
        dot: () => [svg("circle", { class: "b1", cx: 9, cy: 7, r: 3.5 })],
        line: () => [path("line", "M0 7H18")],
        hollow: () => [svg("circle", { class: "hollow", cx: 9, cy: 7, r: 4 })],
    };
    return el("ul.key", { "aria-label": "Key" }, entries.map(({ shape, text }) => el("li",
        svg("svg", { class: colour, viewBox: "0 0 18 14", "aria-hidden": "true" },
            shapes[shape]()), text)));
}

/** Bars, or dots with a line, and the means; a cursor goes from part to part. */
function chartOf(view, colour, readout) {
    const { parts } = view;
    const last = Math.max(parts.length - 1, 0);
    const scrub = scrubOf("Moment of the chart", { max: last, value: last }, (index) => go(index));
    const box = el("div.plot.trend", parts.length > 0 ? scrub : null);
    let at = null;
    const chart = new Chart(box, {
        ...view, from: 0, to: view.days, low: view.bottom, high: view.top, head: 14, foot: 26,
        times: (place) => dates(view, place),
        draw: (place) => [unknown(view, place),
            view.isSum ? bars(view, place, at) : dots(view, place, at),
            view.goal === null ? null : svg("path", { class: "goal",
                d: `M${place.left} ${place.y(view.goal)}H${place.right}` }),
            means(view, place)],
    });
    chart.sheet.classList.add(colour);
    const go = (index) => {
        at = index;
        const said = parts[at ?? parts.length - 1]?.say ?? [];
        scrub.value = at ?? parts.length - 1;
        setAttribute(scrub, "aria-valuetext", said.join(", "));
        replace(readout, said.map((text, one) => el(one === 0 ? "b" : "span", text)));
        chart.draw();
    };
    box.addEventListener("pointermove", (event) => {
        const here = chart.momentOf(event);
        const index = parts.findIndex(({ from, until }) => here >= from && here < until);
        if (index >= 0 && index !== at) go(index);
    });
    box.addEventListener("pointerleave", () => go(null));
    go(null);
    return box;
}

function dates({ dates: all }, { x, wide, right }) {
    const pitch = (x(all.at(-1)?.day) - x(all[0]?.day)) / (all.length - 1) || wide;
    const every = [1, 2, 3, 4, 6, 12, 24, 60, 120].find((one) => one * pitch >= apart) ?? 240;
    return all.filter(({ index }) => index % every === 0)
        .map(({ day, text }) => ({ v: day, label: x(day) < right - 24 ? text : "" }));
}

/** The days before the first of which anything is known. */
function unknown({ known }, { x, head, bottom }) {
    if (known === 0) return null;
    const middle = (x(0) + x(known)) / 2;
    const line = (y, text) => svg("text", { class: "mt", x: middle, y,
        "text-anchor": "middle" }, text);
    return [svg("rect", { class: "sunk", x: x(0), y: head, width: x(known) - x(0),
        height: bottom - head }),
    ...x(known) - x(0) > 90 ? [line(head + 20, "nothing"), line(head + 36, "recorded yet")] : []];
}

function bars({ parts, top }, { x, y, bottom }, at) {
    return parts.flatMap(({ from, until, value, isBefore }, index) => {
        if (!value) return [];
        const pitch = x(until) - x(from);
        const gap = Math.min(3, pitch * .22);
        const [left, room, upper] = [x(from) + gap / 2, pitch - gap, y(value)];
        const r = Math.max(0, Math.min(4, room / 2, bottom - upper));
        return [svg("path", {
            class: `${isBefore ? "b0" : "b1"}${index === at ? " here" : ""}`,
            d: `M${left} ${bottom}V${upper + r}q0 ${-r} ${r} ${-r}h${room - 2 * r}`
                + `q${r} 0 ${r} ${r}V${bottom}z`,
        }), value > top ? svg("path", { class: "gap",
            d: `M${left - 2} ${upper + 12}l${room + 4} -5v5l${-room - 4} 5z` }) : null];
    });
}

function dots({ parts }, { x, y, head, bottom }, at) {
    const middle = ({ from, until }) => (x(from) + x(until)) / 2;
    const here = parts[at];
    return [...parts.filter(({ value, hollow }) => (value ?? hollow ?? null) !== null)
        .map((part) => svg("circle", { cx: middle(part), cy: y(part.value ?? part.hollow),
            class: part.value === null ? "hollow" : part.isBefore ? "b0" : "b1",
            r: parts.length > 200 ? 2.1 : 3 })),
    lineOf(parts.map((part) => [middle(part), part.line === null ? null : y(part.line)])),
    here ? svg("path", { class: "hair", d: `M${middle(here)} ${head}V${bottom}` }) : null,
    here && here.line !== null
        ? svg("circle", { class: "point", cx: middle(here), cy: y(here.line), r: 5 }) : null];
}

/** The means, each with its value on an end of its line: the first at the left. */
const means = ({ means: all }, { x, y }) => all.flatMap(({ from, until, value, label }, index) => [
    svg("path", { class: `m${index}`, d: `M${x(from)} ${y(value)}H${x(until)}` }),
    svg("text", { class: `mt m${index}`, "text-anchor": index === 0 ? "start" : "end",
        x: index === 0 ? x(from) + 3 : x(until) - 3, y: y(value) - 7 }, label)]);
