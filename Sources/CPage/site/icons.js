// The icons: index.html has a symbol for each.

import { svg } from "./dom.js";

/** An icon by name; it says nothing to a screen reader. */
export function icon(name, classes = "") {
    return svg("svg", { class: `i ${classes}`.trim(), "aria-hidden": "true" },
        svg("use", { href: `#i-${name}` }));
}
