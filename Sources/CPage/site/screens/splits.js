// After: the splits, kilometre by kilometre or mile by mile, and beside them the laps.

import { endsOf } from "../chart.js";
import { button, el, svg, unseen } from "../dom.js";
import { card, table, tr } from "../parts.js";

/** The tables of a session that has splits or laps. */
export const splitsCard = ({ splits, laps }, cursor) => card("Splits", "Splits", splits?.note,
    el("div.pairs", [splits, laps].map((one) => one && el("section",
        { "aria-label": one.name }, el("h3", one.name),
        tableOf(one, cursor)))));

function tableOf({ heads, rows, sums, first, more: others }, cursor) {
    const [fastest] = endsOf(rows.map((one) => one.paceMilliseconds).filter(Boolean));
    const withBar = (cells, bar) => (fastest < Infinity ? cells.toSpliced(1, 0, bar) : cells);
    const nodes = rows.map(({ from, to, paceMilliseconds: pace, cells }) => {
        const node = tr(withBar(cells, barOf(fastest / pace)));
        node.addEventListener("pointerenter", () => cursor.set(Math.round((from + to) / 2)));
        return node;
    });
    cursor.listen((at) => {
        for (const [index, { from, to }] of rows.entries()) {
            nodes[index].classList.toggle("at", from <= at && at < to);
        }
    });
    const node = table(withBar(heads, unseen("Pace, drawn")), nodes.slice(0, first),
        rows.length > 1 ? withBar(sums, "") : null);
    if (!(rows.length > first)) return node;
    const [, body] = node.children;
    const more = button("plain", () => {
        more.remove();
        for (const row of nodes.slice(first)) body.append(row);
        body.setAttribute("tabindex", "-1");
        body.focus();
    }, others);
    return [node, more];
}

const barOf = (share) => svg("svg", { class: "pace", "aria-hidden": "true" },
    svg("rect", { class: "bg", width: "100%", height: 6 }),
    svg("rect", { class: "fg", height: 6,
        width: `${Math.round(78 * Math.min(1, share) ** 2) || 0}%` }));
