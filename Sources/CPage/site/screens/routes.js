// Routes: what was walked more than once, each with its one name.

import { api } from "../api.js";
import { button, el, limitBytes, replace, setAttribute } from "../dom.js";
import { attempt, figure, saidLine } from "../parts.js";

/** Shows the routes; `again` shows them again. */
export async function showRoutes(page, body, again) {
    const { view } = await api.routes();
    if (page.gone) return null;
    const row = (route) => {
        const { title, place, figures, name, rename, positions } = route;
        const said = saidLine();
        const field = el("input", { "aria-label": "Name", value: name });
        limitBytes(field, page.store.tables?.longestBytes.name ?? 128);
        const form = el("form", { hidden: true, async onsubmit(event) {
            event.preventDefault();
            const done = await attempt(said, () => page.store.command("describe",
                { sessions: positions, name: field.value.trim() }));
            if (done && !page.gone) again();
        } }, field, el("button.btn", "Save"));
        const open = button(name ? "plain" : "", () => {
            form.hidden = false;
            field.focus();
        }, rename);
        setAttribute(open, "data-edit", "name");
        setAttribute(open, "aria-label", `${rename}: ${title}`);
        return el("li", el("div.walk.route", page.thumbs.make(route).track,
            el("div.t", el("h3", title), place ? el("p", place) : null, form, said),
            el("dl.figures", figures.map((one) => figure(one, true))), open));
    };
    replace(page.head, el("h1", "Routes"),
        el("a.btn.plain", { href: "#/history" }, view.year));
    replace(body, el("div.wk", el("h2", view.sentence), el("p.note", view.since)),
        view.rows.length > 0 ? el("ul.card.walks", el("li.wide-only", { "aria-hidden": "true" },
            el("div.walk.route.names", el("span"), el("span"), el("p.figures.note",
                view.rows[0].figures.map(({ name }) => el("span", name))))),
        view.rows.map(row)) : null,
        el("p.note.rest", view.note));
    return null;
}
