// After: menus that open below their button and push nothing.

import { el } from "../dom.js";
import { icon } from "../icons.js";

/** A menu of list items; whatever is done in it or elsewhere closes it. */
export function pop(picture, text, classes, label, ...items) {
    const summary = el("summary.btn", icon(picture), el("span", text));
    const menu = el("details.pop", { class: `pop ${classes}`.trim() }, summary,
        el("ul.menu", { "aria-label": label }, ...items));
    const close = () => { menu.open = false; };
    menu.addEventListener("keydown", (event) => {
        if (event.key !== "Escape" || !menu.open) return;
        close();
        summary.focus();
    });
    menu.addEventListener("click", (event) => {
        if (event.target.closest("a[href], button")) close();
    });
    menu.addEventListener("focusout", ({ relatedTarget: next }) => {
        if (next && !menu.contains(next)) close();
    });
    let outside = null;
    menu.addEventListener("toggle", () => {
        outside?.abort();
        if (!menu.open) return;
        menu.lastChild.scrollIntoView({ block: "nearest" });
        outside = new AbortController();
        addEventListener("pointerdown", ({ target }) => {
            if (!menu.contains(target)) close();
        }, { signal: outside.signal });
    });
    return menu;
}

/** The files that the walk can leave in; one that cannot hold it says why. */
export function fileMenu({ position, view: { files } }) {
    return pop("export", "Export", "", "Export this walk",
        files.map(({ format, name, words, file, offered }) => el("li", el("a", offered
            ? { href: `/api/sessions/${position}/file?format=${format}`, download: file }
            : { role: "link", "aria-disabled": "true", tabindex: "0" },
        el("strong", name), el("span", words)))));
}
