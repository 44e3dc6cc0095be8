// The icons: icons.svg has a symbol for each, which become a part of the document.

import { svg } from "./dom.js";

/** Puts the symbols into the document; once, at the start. */
export async function installIcons() {
    const answer = await fetch("icons.svg");
    if (!answer.ok) return;
    const sprite = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
    document.body.prepend(document.importNode(sprite.documentElement, true));
}

/** An icon by name; it says nothing to a screen reader. */
export function icon(name, classes = "") {
    return svg("svg", { class: `i ${classes}`.trim(), "aria-hidden": "true" },
        svg("use", { href: `#i-${name}` }));
}
