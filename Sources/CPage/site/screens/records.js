// Records: those of all time, and next to them those of this year.

import { api } from "../api.js";
import { el, replace } from "../dom.js";
import { icon } from "../icons.js";
import { told } from "./trends.js";

const pictures = { longestDistance: "distance", longestTime: "time", mostClimb: "climb",
    mostSteps: "steps", furthestWeek: "cal", longestStreak: "best" };

export async function showRecords(page, body) {
    const { view } = await api.records();
    if (page.gone) return null;
    replace(page.head, el("h1", "Records"));
    if (view.isEmpty) {
        replace(body, page.blank());
        return null;
    }
    const figure = (classes, { value, unit, when, to }) => [
        el("p", { class: classes }, value, unit ? " " : null, unit ? el("small", unit) : null),
        el("a", { href: `#/${to}` }, when)];
    replace(body, told(view), el("section.card.rec", { "aria-label": "Records" },
        el("div.recrow.th", { "aria-hidden": "true" }, el("span"),
            view.columns.map((name) => el("span", name))),
        el("ol", view.rows.map(({ key, name, note, all, year }) => el("li.recrow",
            icon(pictures[key] ?? "walk"),
            el("div", el("h2", name), note ? el("p.note", note) : null),
            el("div", figure("v", all)),
            el("div", el("span.narrow-only", `${view.columns[2]}:`),
                year.same ? el("p.same", year.same) : figure("y", year)))))));
    return null;
}
