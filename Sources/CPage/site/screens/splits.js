// After: the splits, kilometre by kilometre, or mile by mile.

import { endsOf } from "../chart.js";
import { button, el, svg, unseen } from "../dom.js";
import { card } from "../parts.js";

/** The table of a session that has splits. */
export function splitsCard(session, cursor) {
    const { unit, note, hasSteps, hasClimb, hasHeart, first, more: others } = session.view.splits;
    const rows = rowsOf(session.view.splits, cursor);
    const body = el("tbody", rows.slice(0, first));
    const column = (label, classes = null) => el("th", { scope: "col", class: classes }, label);
    const node = card("Splits", "Splits", note,
        el("table.table", el("thead", el("tr", column(unit),
            column(unseen("Pace, drawn"), "opt"), column("Pace"), hasHeart ? column("BPM") : null,
            hasClimb ? column("Climb") : null, hasSteps ? column("Steps") : null)), body));
    node.classList.add("wide");
    if (rows.length > first) {
        const more = button("plain", () => {
            more.remove();
            for (const row of rows.slice(first)) body.append(row);
            body.setAttribute("tabindex", "-1");
            body.focus();
        }, others);
        node.append(more);
    }
    return node;
}

function rowsOf({ rows: splits, hasSteps, hasClimb, hasHeart }, cursor) {
    const [fastest] = endsOf(splits.map((one) => one.paceMilliseconds).filter(Boolean));
    const rows = splits.map(({ from, to, paceMilliseconds, name, pace, bpm, climb, steps }) => {
        const bar = svg("svg", { class: "pace", "aria-hidden": "true" },
            svg("rect", { class: "bg", width: "100%", height: 6 }),
            svg("rect", { class: "fg", height: 6,
                width: `${Math.round(78 * Math.min(1, fastest / paceMilliseconds) ** 2) || 0}%` }));
        const point = () => cursor.set(Math.round((from + to) / 2));
        return el("tr", { onpointerenter: point }, el("td", name), el("td.opt", bar),
            el("td", pace), hasHeart ? el("td", bpm) : null, hasClimb ? el("td", climb) : null,
            hasSteps ? el("td", steps) : null);
    });
    cursor.listen((at) => {
        for (const [index, { from, to }] of splits.entries()) {
            rows[index].classList.toggle("at", from <= at && at < to);
        }
    });
    return rows;
}
