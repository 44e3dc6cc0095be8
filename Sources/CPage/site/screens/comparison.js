// After: the walk beside others on the same route.

import { Chart } from "../chart.js";
import { el, svg } from "../dom.js";
import { card } from "../parts.js";
import { tracePath } from "./history.js";

/** The same route: what it took each time, on a true axis, and the hearts of the last times. */
export function routeTimesCard({ note, sentence, label, walks, heart, last, ...axis }) {
    const box = el(walks.length > 60 ? "div.plot.times.many" : "div.plot.times");
    const [from, to] = [walks[0].at, walks.at(-1).at];
    const margin = Math.max(1, to - from) / 40;
    const chart = new Chart(box, { ...axis, label, from: from - margin, to: to + margin,
        head: 8, foot: 24,
        times: ({ x }) => walks.reduceRight((shown, { at, day }) =>
            (x(at) > x(shown.at(-1)?.v ?? Infinity) - 130 ? shown
                : [...shown, { v: at, label: day }]), []),
        draw: ({ x, y }) => walks.toSorted((one, other) => one.isThis - other.isThis)
            .map(({ at, active, isThis }) => svg("circle", { cx: x(at), cy: y(active),
                class: isThis ? "time me" : "time" })) });
    chart.draw();
    const hasHeart = heart?.length > 1;
    const trace = (rates, name) => svg("path",
        { class: name, d: rates?.length > 1 ? tracePath(rates) : "" });
    const row = (one) => el("li", el("a", { href: `#/walks/${one.position}` },
        el("b", one.day), el("span.note", one.text),
        hasHeart ? svg("svg", { viewBox: "0 0 132 34", preserveAspectRatio: "none",
            "aria-hidden": "true" }, trace(heart, "now"), trace(one.heart, "then")) : null));
    return card("The same route", "The same route", note,
        el("div.vs", el("p.lede", sentence), el("div", el("p.what", "Active time"), box)),
        hasHeart && last.length > 0 ? el("h3.cap", "Heart rate along the way",
            el("span.note", "red: that walk, grey: this one")) : null,
        el("ol.five", last.map(row)));
}
