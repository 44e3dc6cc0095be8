// After: the walk beside others on the same route, and lap by lap.

import { endsOf } from "../chart.js";
import { el, svg, unseen } from "../dom.js";
import { card, table, tr } from "../parts.js";

/** The laps, where there was more than one. */
export function lapsCard({ heads, rows }) {
    return card("Laps", "Laps", null, table(heads, rows.map(({ cells }) => tr(cells))));
}

const top = 18;
const bottom = 78;

/** The same route: what it took each time, on a true axis; this walk is the large one. */
export function routeTimesCard({ note, sentence, label, walks }) {
    const [least, most] = endsOf(walks.map(({ active }) => active));
    const [from, to] = [walks[0].at, walks.at(-1).at];
    const x = ({ at }) => `${4 + 92 * (to > from ? (at - from) / (to - from) : .5)}%`;
    const y = ({ active }) => top
        + (bottom - top) * (most > least ? (most - active) / (most - least) : .5);
    const links = walks.toReversed().map((walk) => el("li",
        el("a", { href: `#/walks/${walk.position}` }, walk.text)));
    return card("The same route", "The same route", note, el("p.lede", sentence),
        svg("svg", { class: "times", role: "img", "aria-label": label },
            walks.map((walk) => svg("circle", { cx: x(walk), cy: y(walk), r: walk.isThis ? 9 : 6,
                class: walk.isThis ? "this" : "" })),
            [walks[0], walks.at(-1)].map((walk, index) => svg("text", { x: x(walk), y: 104,
                "text-anchor": index === 0 ? "start" : "end" }, walk.day))),
        el("details", el("summary", "All of them", unseen(" on this route")),
            el("ul.rows", links)));
}
