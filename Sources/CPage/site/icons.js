// The icons: one stroke, drawn with currentColor. Each is a list of shapes, put into one hidden
// sprite when the page starts; icon() refers to it.

import { svg } from "./dom.js";

const shapes = {
    alert: [
        ["path", { d: "M12 3.8l9 16H3zM12 10v4.5M12 17.2v.1" }],
    ],
    bell: [
        ["path", { d: "M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5h4" }],
    ],
    best: [
        ["circle", { cx: "12", cy: "9", r: "5.5" }],
        ["path", { d: "M8.5 13.5L7 21l5-2.7L17 21l-1.5-7.5" }],
    ],
    cal: [
        ["rect", { x: "3.5", y: "5", width: "17", height: "15.5", rx: "3" }],
        ["path", { d: "M3.5 10h17M8 2.8V6M16 2.8V6" }],
    ],
    check: [
        ["path", { d: "M5 12.5l4.5 4.5L19 7.5" }],
    ],
    climb: [
        ["path", { d: "M2.5 19l6.5-11.5 4 6.5 2-3 6.5 8z" }],
    ],
    distance: [
        ["circle", { cx: "5.5", cy: "18.5", r: "2.5" }],
        ["circle", { cx: "18.5", cy: "5.5", r: "2.5" }],
        ["path", { d: "M8 18.5h7a3.5 3.5 0 0 0 0-7H9a3.5 3.5 0 0 1 0-6h7" }],
    ],
    down: [
        ["path", { d: "M6 9.5l6 6 6-6" }],
    ],
    edit: [
        ["path", {
            d: "M4.5 19.5l1-4.3L16.2 4.5l3.3 3.3L8.8 18.5zM14 6.7l3.3 3.3",
        }],
    ],
    energy: [
        ["path", {
            d: "M12.5 2.8c.6 3.4 5.5 5.7 5.5 11a6 6 0 0 1-12 0c0-2.2 1-3.7 2.2-4.8"
                + ".3 1.6 1 2.5 2 2.8-.3-3.6.5-6.5 2.3-9z",
        }],
    ],
    export: [
        ["path", {
            d: "M12 3.5v11M7.5 10l4.5 4.5 4.5-4.5M4.5 16.5v2a2 2 0 0 0 2 2h11a2 2 "
                + "0 0 0 2-2v-2",
        }],
    ],
    filter: [
        ["path", { d: "M4 7h16M7 12h10M10 17h4" }],
    ],
    flag: [
        ["path", { d: "M5.5 21V4M5.5 4.5c4-2.5 7 2 13 0v9c-6 2-9-2.5-13 0" }],
    ],
    foot: [
        ["path", { d: "M3 17.5V11l2.5 1.5c2 0 3.5-2.5 3.5-5l10 6.5c1.5 1 2 2 2 3.5z" }],
        ["path", { d: "M3 17.5h18" }],
    ],
    gps: [
        ["circle", { cx: "12", cy: "12", r: "6.5" }],
        ["circle", { cx: "12", cy: "12", r: "1.8", fill: "currentColor" }],
        ["path", { d: "M12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3" }],
    ],
    heart: [
        ["path", {
            d: "M12 20.5S3.5 15.4 3.5 9.3A4.7 4.7 0 0 1 12 6.6a4.7 4.7 0 0 1 8.5 2"
                + ".7c0 6.1-8.5 11.2-8.5 11.2z",
        }],
    ],
    hide: [
        ["path", {
            d: "M9.9 6.3A9.6 9.6 0 0 1 12 6c5.5 0 9 6 9 6a15 15 0 0 1-2.6 3.2M6.3 7.8A15.4 15.4 0 "
                + "0 0 3 12s3.5 6 9 6a9 9 0 0 0 4.2-1.1M10 10a2.9 2.9 0 0 0 4 4M4 4l16 16",
        }],
    ],
    history: [
        ["path", { d: "M4 5v4.5h4.5M4.6 9.2A8.2 8.2 0 1 1 3.8 13M12 8.5V13l3 2" }],
    ],
    info: [
        ["circle", { cx: "12", cy: "12", r: "8.5" }],
        ["path", { d: "M12 11v5M12 8v.1" }],
    ],
    lap: [
        ["path", { d: "M19.5 12a7.5 7.5 0 1 1-2.6-5.7M19.5 3.5v4.2h-4.2" }],
    ],
    left: [
        ["path", { d: "M14.5 6l-6 6 6 6" }],
    ],
    locate: [
        ["path", { d: "M20 4L3.8 10.8l6.7 2.7 2.7 6.7z" }],
    ],
    log: [
        ["path", { d: "M4 6h16M4 12h10M4 18h13" }],
        ["circle", { cx: "18", cy: "12", r: "1.8", fill: "currentColor" }],
    ],
    map: [
        ["path", {
            d: "M3.5 6.5l5.5-2.5 6 2.5 5.5-2.5v13.5L15 20l-6-2.5L3.5 20zM9 4v13.5M15 6.5V20",
        }],
    ],
    mark: [
        ["path", { d: "M1.5 16.5H8l3.2-13 4 17 2.6-8.5H22V5.5h6.5" }],
    ],
    minus: [
        ["path", { d: "M5 12h14" }],
    ],
    more: [
        ["path", { d: "M5.5 12v.1M12 12v.1M18.5 12v.1", "stroke-width": "3" }],
    ],
    pause: [
        ["path", { d: "M8.5 5v14M15.5 5v14", "stroke-width": "3.4" }],
    ],
    picture: [
        ["rect", { x: "3.5", y: "4.5", width: "17", height: "15", rx: "3" }],
        ["path", { d: "M4 16.5l4.5-4.5 4 4 2.5-2.5 5 4.5" }],
        ["circle", { cx: "15.5", cy: "9", r: "1.5" }],
    ],
    person: [
        ["circle", { cx: "12", cy: "8", r: "3.8" }],
        ["path", { d: "M4.5 20c.8-4 3.8-6 7.5-6s6.7 2 7.5 6" }],
    ],
    play: [
        ["path", { d: "M7.5 4.8v14.4L19 12z", fill: "currentColor" }],
    ],
    plus: [
        ["path", { d: "M12 5v14M5 12h14" }],
    ],
    print: [
        ["path", {
            d: "M7.5 8.5v-5h9v5M7.5 16.5H5A1.5 1.5 0 0 1 3.5 15v-4A2.5 2.5 0 0 1 6 8.5h12a2.5 "
                + "2.5 0 0 1 2.5 2.5v4a1.5 1.5 0 0 1-1.5 1.5h-2.5M7.5 13.5h9v7h-9z",
        }],
    ],
    reset: [
        ["path", { d: "M4 5v4.5h4.5M4.6 9.2A8.2 8.2 0 1 1 3.8 13" }],
    ],
    right: [
        ["path", { d: "M9.5 6l6 6-6 6" }],
    ],
    scan: [
        ["path", {
            d: "M12 12v.1M8.5 15.5a5 5 0 0 1 0-7M15.5 8.5a5 5 0 0 1 0 7M5.6 18.4a9"
                + " 9 0 0 1 0-12.8M18.4 5.6a9 9 0 0 1 0 12.8",
        }],
    ],
    search: [
        ["circle", { cx: "10.5", cy: "10.5", r: "6.5" }],
        ["path", { d: "M15.5 15.5l5 5" }],
    ],
    see: [
        ["path", { d: "M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6z" }],
        ["circle", { cx: "12", cy: "12", r: "2.7" }],
    ],
    shield: [
        ["path", { d: "M12 2.8l7.5 2.7v6c0 4.7-3.1 8-7.5 9.7-4.4-1.7-7.5-5-7.5-9.7v-6z" }],
        ["path", { d: "M8.6 12l2.4 2.3 4.5-4.6" }],
    ],
    "shield-x": [
        ["path", { d: "M12 2.8l7.5 2.7v6c0 4.7-3.1 8-7.5 9.7-4.4-1.7-7.5-5-7.5-9.7v-6z" }],
        ["path", { d: "M9.5 9.3l5 5M14.5 9.3l-5 5" }],
    ],
    sliders: [
        ["path", { d: "M4 8h9M17.5 8H20M4 16h2.5M11 16h9" }],
        ["circle", { cx: "15.2", cy: "8", r: "2.2" }],
        ["circle", { cx: "8.8", cy: "16", r: "2.2" }],
    ],
    stairs: [
        ["path", { d: "M3 19.5h4.5v-5H12v-5h4.5v-5H21" }],
    ],
    steps: [
        ["path", {
            d: "M6.3 13.2c-1.6 0-2.6-2.4-2.6-5S4.8 3.5 6.6 3.5s3 2.2 3 4.6-.8 3.4-"
                + "1 4.6zM6.1 16.3l2.7-.5c.4 2-.1 3.2-1.3 3.4s-1.7-1-1.4-2.9zM17.7 15"
                + ".2c1.6 0 2.6-2.4 2.6-5s-1.1-4.7-2.9-4.7-3 2.2-3 4.6.8 3.4 1 4.6zM1"
                + "7.9 18.3l-2.7-.5c-.4 2 .1 3.2 1.3 3.4s1.7-1 1.4-2.9z",
        }],
    ],
    stop: [
        ["rect", { x: "6", y: "6", width: "12", height: "12", rx: "2.5", fill: "currentColor" }],
    ],
    strap: [
        ["path", {
            d: "M2 9.5c3-1 5-1 6.5-.5M22 9.5c-3-1-5-1-6.5-.5M2 14.5c3 1 5 1 6.5.5M"
                + "22 14.5c-3 1-5 1-6.5.5",
        }],
        ["rect", { x: "8.5", y: "7.5", width: "7", height: "9", rx: "3" }],
    ],
    text: [
        ["path", { d: "M4.5 6h15M4.5 11h15M4.5 16h8M17.5 14.5v6M14.5 17.5h6" }],
    ],
    time: [
        ["circle", { cx: "12", cy: "13", r: "7.5" }],
        ["path", { d: "M12 9v4l2.6 1.8M9.5 2.5h5" }],
    ],
    today: [
        ["rect", { x: "3.5", y: "5", width: "17", height: "15.5", rx: "3" }],
        ["path", { d: "M3.5 10h17M8 2.8V6M16 2.8V6M8.8 15.3l2.2 2.1 4.2-4.2" }],
    ],
    walk: [
        ["circle", { cx: "13.5", cy: "4.3", r: "1.9" }],
        ["path", {
            d: "M7.5 12.5l1-3.8 4-1.2 2.2 3.8 3.3 1.2M12.5 8l-1.3 6 3.3 2.8 1 4.7M"
                + "11 14.5l-1.2 3.5-2.8 3.5",
        }],
    ],
    x: [
        ["path", { d: "M6.5 6.5l11 11M17.5 6.5l-11 11" }],
    ],
};

/** Puts the sprite into the document; once, at the start. */
export function installIcons() {
    const sprite = svg("svg", { "aria-hidden": "true", width: 0, height: 0, class: "sprite" });
    for (const [name, parts] of Object.entries(shapes)) {
        const viewBox = name === "mark" ? "0 0 30 22" : "0 0 24 24";
        const symbol = svg("symbol", { id: `i-${name}`, viewBox });
        for (const [tag, attributes] of parts) symbol.append(svg(tag, attributes));
        sprite.append(symbol);
    }
    document.body.prepend(sprite);
}

/** An icon by name; it says nothing to a screen reader. */
export function icon(name, classes = "") {
    return svg("svg", { class: `i ${classes}`.trim(), "aria-hidden": "true" },
        svg("use", { href: `#i-${name}` }));
}
