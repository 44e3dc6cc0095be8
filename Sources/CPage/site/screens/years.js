// All years: the kilometres of their months on one axis, and a row a year, which leads to it.

import { api } from "../api.js";
import { el, replace, setAttribute, svg } from "../dom.js";
import { lead, linesOf } from "../parts.js";

const gutter = 46;
const high = 190;

/** Shows all years; returns what draws the chart again. */
export async function showYears(page, body) {
    const { view } = await api.years();
    if (page.gone) return null;
    const { chart } = view;
    const drawing = svg("svg", { role: "img", "aria-label": chart.label });
    const plot = el("div.drawn", drawing);
    const square = (classes) => svg("svg", { viewBox: "0 0 14 14", "aria-hidden": "true" },
        svg("rect", { class: classes, width: 14, height: 14, rx: 4 }));
    const week = (isImported) => (isImported ? "week part" : "week");
    const row = ({ year, note, permille, isImported, cells }) => el("tr",
        el("td", el("a", { href: `#/history/${year}` }, year), note ? " " : null,
            note ? el("span.note", note) : null),
        el("td.h", svg("svg", { viewBox: "0 0 1000 14", preserveAspectRatio: "none",
            "aria-hidden": "true" },
        svg("rect", { class: week(isImported), y: 3, width: permille, height: 8 }))),
        cells.map((text) => el("td", text)));
    replace(page.head, el("h1", view.title));
    replace(body, lead(view), el("section.card.years", { "aria-label": view.title },
        el("div.card-head", el("h2", view.title), el("p.note", chart.note)),
        plot,
        el("div.wide", el("table.table",
            el("thead", el("tr", view.columns.map((name, index) => [
                el("th", { scope: "col" }, name), index === 0 ? el("td.h") : null]).flat())),
            el("tbody", view.rows.map(row)),
            el("tfoot", el("tr", view.sums.map((text, index) => [
                el("td", text), index === 0 ? el("td.h") : null]).flat())))),
        view.hasImported ? el("ul.key", { "aria-label": "Key" },
            view.hasOwn ? el("li", square("week"), "recorded here") : null,
            el("li", square("week part"), "imported"))
            : null));
    return () => {
        const width = plot.clientWidth;
        if (width === 0) return;
        const pitch = (width - gutter) / chart.months.length;
        const y = (value) => 8 + (high - 30) * (1 - value / chart.top);
        const every = Math.ceil(44 / (12 * pitch));
        setAttribute(drawing, "viewBox", `0 0 ${width} ${high}`);
        replace(drawing,
            linesOf(chart.ticks, y, gutter, width),
            chart.months.map(({ value, isImported }, month) => (value === 0 ? null
                : svg("rect", { class: week(isImported), x: gutter + (month + .12) * pitch,
                    y: y(value), width: pitch * .76, height: y(0) - y(value),
                    rx: Math.min(2, pitch / 3) }))),
            chart.years.map((year, index) => {
                const x = gutter + 12 * index * pitch;
                return [svg("path", { class: "axis", d: `M${x} ${y(0)}v5` }),
                    index % every === 0 ? svg("text", { x: x + 3, y: high - 5 }, year) : null];
            }).flat());
    };
}
