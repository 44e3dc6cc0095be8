// After: the splits, kilometre by kilometre.

import { button, el, svg, unseen } from "../dom.js";
import { card } from "../parts.js";
import { count, kilometres, pace, whole } from "../words.js";

const splitsAtFirst = 25;

const sources = {
    pedometer: "pedometer", stride: "steps", position: "position",
    mixed: "pedometer, steps or position",
};

/** The table of a session that has splits. */
export function splitsCard(session) {
    const hasSteps = session.splits.some((split) => split.steps > 0);
    const rows = rowsOf(session.splits, hasSteps);
    const body = el("tbody", rows.slice(0, splitsAtFirst));
    const column = (label, classes = null) => el("th", { scope: "col", class: classes }, label);
    const source = sources[session.distanceSource];
    const node = card("Splits", "Splits", `per kilometre${source ? `, by ${source}` : ""}`,
        el("table.table", el("thead", el("tr", column("km"),
            column(unseen("Pace, drawn"), "opt"), column("Pace"), column("BPM"),
            hasSteps ? column("Steps") : null)), body));
    node.classList.add("wide");
    if (rows.length > splitsAtFirst) {
        const more = button("plain", () => {
            more.remove();
            body.append(...rows.slice(splitsAtFirst));
            body.setAttribute("tabindex", "-1");
            body.focus();
        }, `Show the other ${count(rows.length - splitsAtFirst)}`);
        node.append(more);
    }
    return node;
}

function rowsOf(splits, hasSteps) {
    const paces = splits.map((split) => split.activeMilliseconds / split.distanceMillimetres);
    const fastest = Math.min(...paces.filter((one) => one > 0));
    return splits.map((split, index) => {
        const length = split.distanceMillimetres;
        const bar = svg("svg", { class: "pace", "aria-hidden": "true" },
            svg("rect", { class: "bg", width: "100%", height: 6 }),
            svg("rect", { class: "fg", height: 6,
                width: `${Math.round(78 * Math.min(1, fastest / paces[index]) ** 2) || 0}%` }));
        return el("tr", el("td", length === 1_000_000 ? index + 1 : kilometres(length)),
            el("td.opt", bar), el("td", pace(length, split.activeMilliseconds)),
            el("td", whole(split.mean)), hasSteps ? el("td", count(split.steps)) : null);
    });
}
