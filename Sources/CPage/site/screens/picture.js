// After: a picture of the walk to share, drawn here and sent nowhere: its name and day, the route,
// four figures at most. Where it begins and ends is left out at first.

import { endsOf } from "../chart.js";
import { button, el, setText } from "../dom.js";
import { icon } from "../icons.js";
import { toggle } from "../parts.js";
import { sentences } from "../words.js";

const width = 1080;
const height = 1350;
const frame = { left: 56, top: 222, width: 968, height: 650 };
const edge = 64;
const column = 480;
const family = "system-ui, sans-serif";

/** A token's colour as the canvas understands it. */
function colour(token) {
    const probe = el("i", { hidden: true });
    probe.style.setProperty("color", `var(--${token})`);
    document.body.append(probe);
    const value = getComputedStyle(probe).color;
    probe.remove();
    return value;
}

/** A button, and the card that it opens: the picture as it is saved, and what is chosen for it. */
export function pictureOf(session, made) {
    const { picture, files: [{ file }], route: { heat: [heat] } } = session.view;
    const canvas = el("canvas", { width, height, role: "img",
        "aria-label": "The picture: the walk's name, its route and its figures" });
    const save = el("a.btn.primary", { download: `${file.replace(/\.\w+$/, "")}.png` },
        icon("export"), "Save picture");
    const state = { isCut: true, isColoured: heat.isKnown, isNamed: true };
    const note = el("span.note", { role: "status" });
    const line = (key, name, more) => el("div.line", el("label", { for: key }, name, more),
        toggle(key, true, ({ target }) => {
            state[key] = target.checked;
            paint();
        }));
    const figures = picture.figures.map(({ isShown: checked }) =>
        el("input", { type: "checkbox", checked, onchange: paint }));
    const node = el("section.card.picture", { "aria-label": "A picture to share", hidden: true },
        canvas, el("div.stack",
            el("div", el("h2", "A picture to share"), el("p.quiet", sentences.picture)),
            el("div", el("h3", "Figures, four at most"), el("fieldset.pills",
                el("legend.vh", "Figures"), picture.figures.map(({ name }, index) =>
                    el("label", figures[index], el("span", name))))),
            el("div", line("isCut", "Blur start and end", note),
                heat.isKnown ? line("isColoured", "Heart-rate colours on the route") : null,
                line("isNamed", "Name of the walk")),
            el("div.acts", save, button("", () => {
                open.click();
                open.focus();
            }, "Close"))));
    const open = button("", () => {
        node.hidden = !node.hidden;
        open.setAttribute("aria-expanded", String(!node.hidden));
        if (!node.hidden) paint();
    }, icon("picture"), "Picture");
    open.setAttribute("aria-expanded", "false");

    function paint() {
        const track = state.isCut ? inner(session) : session.track;
        const shown = picture.figures.filter((_, index) => figures[index].checked);
        for (const one of figures) one.disabled = !one.checked && shown.length === 4;
        draw(canvas.getContext("2d"), session, track, { ...state, shown });
        setText(note, !state.isCut ? "The whole route is shown, with where it begins and ends."
            : track.length > 1 ? picture.hidden : "The walk is too short to leave so much out.");
        canvas.toBlob((blob) => {
            URL.revokeObjectURL(save.href);
            save.href = URL.createObjectURL(blob);
        }, "image/png");
    }

    made.push({ destroy: () => URL.revokeObjectURL(save.href) });
    return { open, node };
}

/** The track without what is near its ends, however often it passes there. */
function inner({ track, view: { picture: { hiddenE7 } } }) {
    const near = (one, other) => Math.hypot(one.latitudeE7 - other.latitudeE7,
        (one.longitudeE7 - other.longitudeE7) * stretchOf(one)) < hiddenE7;
    return track.map((point, index) => ({ ...point, index }))
        .filter((point) => !near(point, track[0]) && !near(point, track.at(-1)))
        .map((point, place, all) =>
            ({ ...point, start: point.start || all[place - 1]?.index !== point.index - 1 }));
}

/** How much shorter a degree of longitude is than one of latitude. */
const stretchOf = ({ latitudeE7 }) => Math.cos(latitudeE7 / 1e7 * Math.PI / 180);

function draw(context, { view, heatMap }, track, { isColoured, isNamed, shown }) {
    const text = (words, x, y, size, token, weight = 400, most = width - 2 * edge) => {
        Object.assign(context, { font: `${weight} ${size}px ${family}`, fillStyle: colour(token) });
        context.fillText(words, x, y, most);
        return context.measureText(words).width;
    };
    context.fillStyle = colour("ground");
    context.fillRect(0, 0, width, height);
    const hasName = isNamed && view.kept.name.text !== "";
    if (hasName) text(view.title, edge, 128, 64, "ink", 650);
    text(view.picture.day, edge, hasName ? 186 : 150, 36, "ink-2");
    context.save();
    context.beginPath();
    context.roundRect(frame.left, frame.top, frame.width, frame.height, 44);
    context.clip();
    context.fillStyle = colour("map");
    context.fillRect(0, 0, width, height);
    graticule(context);
    const [heat] = view.route.heat;
    const seen = track.length > 1 ? route(context, track, heatMap, isColoured ? heat : null)
        : new Set();
    context.restore();
    let x = edge;
    for (const { zone, name } of (heat.legend ?? []).filter((row) => seen.has(row.zone))) {
        context.fillStyle = colour(tokenOf(zone));
        context.beginPath();
        context.arc(x + 12, 913, 12, 0, 7);
        context.fill();
        x += 76 + text(name, x + 36, 923, 29, "ink-2");
    }
    for (const [index, { value, words }] of shown.entries()) {
        const [left, y] = [edge + index % 2 * column, 1_046 + Math.floor(index / 2) * 142];
        text(value, left, y, 82, "ink", 650, column - 40);
        text(words, left + 2, y + 46, 32, "ink-2", 400, column - 40);
    }
    // The mark and the name, at the lower right.
    context.save();
    Object.assign(context, { textAlign: "right", lineWidth: 2.1, strokeStyle: colour("accent"),
        lineCap: "round", lineJoin: "round" });
    text("Pulselog", width - edge, 1_308, 30, "ink-2", 600);
    context.setTransform(1.5, 0, 0, 1.5, width - 4.4 * edge, 1_308 - 28);
    context.stroke(new Path2D(document.querySelector("#i-mark path").getAttribute("d")));
    context.restore();
}

const tokenOf = (zone) => (zone > 0 ? `zone-${zone}` : "zone-none");

function graticule(context) {
    context.strokeStyle = colour("map-line");
    context.lineWidth = 2;
    context.beginPath();
    for (let at = 60; at < height; at += 120) {
        context.moveTo(at, 0);
        context.lineTo(at, height);
        context.moveTo(0, at);
        context.lineTo(width, at);
    }
    context.stroke();
}

/** The track in a box as large as it can be; longitudes are shorter than latitudes. */
export function fitted(track, { left, top, width: wide, height: high }) {
    const stretch = stretchOf(track[0]);
    const xs = track.map((point) => point.longitudeE7 * stretch);
    const ys = track.map((point) => -point.latitudeE7);
    const [[west, east], [north, south]] = [endsOf(xs), endsOf(ys)];
    const scale = Math.min(wide / Math.max(east - west, 1), high / Math.max(south - north, 1));
    return xs.map((x, index) => [left + wide / 2 + (x - (east + west) / 2) * scale,
        top + high / 2 + (ys[index] - (south + north) / 2) * scale]);
}

/** The route in the frame: a halo of 30, a line of 20, in the colours of the heat-map. */
function route(context, track, heatMap, heat) {
    const points = fitted(track, { left: frame.left + 85, top: frame.top + 70,
        width: frame.width - 170, height: frame.height - 140 });
    const seen = new Set();
    const line = (from, to, size, token) => {
        Object.assign(context, { lineWidth: size, strokeStyle: colour(token), lineCap: "round",
            lineJoin: "round" });
        context.beginPath();
        for (let index = from; index <= to; index += 1) {
            const isStart = index === from || track[index].start;
            context[isStart ? "moveTo" : "lineTo"](...points[index]);
        }
        context.stroke();
    };
    line(0, points.length - 1, 30, "map-halo");
    if (!heat) line(0, points.length - 1, 20, "accent");
    const indexOf = ({ index }, place) => index ?? place;
    for (const [segment, { firstPoint, lastPoint }] of heat ? heatMap.entries() : []) {
        const { zone } = heat.segments[segment];
        const from = track.findIndex((one, place) => indexOf(one, place) >= firstPoint);
        const to = track.findLastIndex((one, place) => indexOf(one, place) <= lastPoint);
        if (from < 0 || !track.slice(from + 1, to + 1).some(({ start }) => !start)) continue;
        // In one go: each line asks for its colour.
        line(from, to, 20, tokenOf(zone));
        seen.add(zone);
    }
    return seen;
}
