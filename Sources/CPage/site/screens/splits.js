// After: the splits, kilometre by kilometre.

import { button, el, svg, unseen } from "../dom.js";
import { card } from "../parts.js";
import { count, kilometres, pace, whole } from "../words.js";

const splitsAtFirst = 25;

/** The table; `source` says what measured the way, `steps` how many fell into each split. */
export function splitsCard(list, source, steps = null) {
    const rows = rowsOf(list, steps);
    const body = el("tbody", rows.slice(0, splitsAtFirst));
    const column = (label, classes = null) => el("th", { scope: "col", class: classes }, label);
    const node = card("Splits", "Splits", `per kilometre, by ${source}`,
        el("table.table", el("thead", el("tr", column("km"),
            column(unseen("Pace, drawn"), "opt"), column("Pace"), column("BPM"),
            steps ? column("Steps") : null)), body));
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

function rowsOf(list, steps) {
    const paces = list.map((split) => split.milliseconds / split.length);
    const fastest = Math.min(...paces);
    return list.map((split, index) => {
        const isWhole = split.length > 999_999;
        const bar = svg("svg", { class: "pace", "aria-hidden": "true" },
            svg("rect", { class: "bg", width: "100%", height: 6 }),
            svg("rect", { class: "fg", height: 6,
                width: `${Math.round(78 * (fastest / paces[index]) ** 2)}%` }));
        return el("tr", el("td", isWhole ? index + 1 : kilometres(split.length)),
            el("td.opt", bar), el("td", pace(split.length, split.milliseconds)),
            el("td", whole(split.bpm)), steps ? el("td", count(steps[index])) : null);
    });
}
