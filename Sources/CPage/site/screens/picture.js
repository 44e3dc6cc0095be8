// After: a picture of the walk to share, drawn here and sent nowhere: its name and day, the route,
// four figures. Where it begins and ends is left out at first.

import { colour } from "../chart.js";
import { button, el, setText } from "../dom.js";
import { icon } from "../icons.js";
import { toggle } from "../parts.js";

const width = 1080;
const height = 1350;
const frame = { left: 90, top: 250, right: 990, bottom: 1000 };
/** 200 m, in degrees of latitude times 10^7. */
const hiddenE7 = 17_986;
const family = "system-ui, sans-serif";

/** A button, and the card that it opens: the picture as it is saved. */
export function pictureOf(session, made) {
    const canvas = el("canvas", { width, height, role: "img",
        "aria-label": "The picture: the walk's name, its route and four figures" });
    const save = el("a.btn.primary", { download: `${session.view.files[0].file
        .replace(/\.\w+$/, "")}.png` }, icon("export"), "Save the picture");
    const state = { isWhole: false };
    const note = el("p.note");
    const whole = toggle("whole-route", true, (event) => {
        state.isWhole = !event.target.checked;
        paint();
    });
    const node = el("section.card.picture", { "aria-label": "Picture to share", hidden: true },
        canvas, el("div.stack", el("label", { for: "whole-route" }, whole,
            "Leave out where it begins and ends"), note, save));
    const open = button("", () => {
        node.hidden = !node.hidden;
        open.setAttribute("aria-expanded", String(!node.hidden));
        if (!node.hidden) paint();
    }, icon("picture"), "Picture");
    open.setAttribute("aria-expanded", "false");

    function paint() {
        const track = state.isWhole ? session.track : inner(session.track);
        draw(canvas.getContext("2d"), session, track);
        setText(note, track.length > 1 ? "Made in this browser; nothing is sent anywhere."
            : "The walk is too short to leave so much out.");
        canvas.toBlob((blob) => {
            URL.revokeObjectURL(save.href);
            save.href = URL.createObjectURL(blob);
        }, "image/png");
    }

    made.push({ destroy: () => URL.revokeObjectURL(save.href) });
    return { open, node };
}

/** The track without what is near its ends, however often it passes there. */
function inner(track) {
    const near = (one, other) => Math.hypot(one.latitudeE7 - other.latitudeE7,
        (one.longitudeE7 - other.longitudeE7) * stretchOf(one)) < hiddenE7;
    return track.map((point, index) => ({ ...point, index }))
        .filter((point) => !near(point, track[0]) && !near(point, track.at(-1)))
        .map((point, place, all) =>
            ({ ...point, start: point.start || all[place - 1]?.index !== point.index - 1 }));
}

/** How much shorter a degree of longitude is than one of latitude. */
const stretchOf = ({ latitudeE7 }) => Math.cos(latitudeE7 / 1e7 * Math.PI / 180);

function draw(context, { view, heatMap }, track) {
    const text = (words, x, y, size, token, weight = 550, align = "left") => {
        Object.assign(context, { font: `${weight} ${size}px ${family}`, textAlign: align,
            fillStyle: colour(token) });
        context.fillText(words, x, y, width - 2 * frame.left);
    };
    context.fillStyle = colour("ground");
    context.fillRect(0, 0, width, height);
    text(view.title, frame.left, 140, 62, "ink", 650);
    if (view.day !== view.title) text(view.day, frame.left, 200, 34, "ink-2", 400);
    context.save();
    context.beginPath();
    context.roundRect(frame.left - 30, frame.top - 10, width - 2 * frame.left + 60,
        frame.bottom - frame.top + 20, 36);
    context.clip();
    context.fillStyle = colour("map");
    context.fillRect(0, 0, width, height);
    graticule(context);
    if (track.length > 1) route(context, track, heatMap, view.route?.heat[0]);
    context.restore();
    const known = view.figures.filter(({ value }) => value !== "–").slice(0, 4);
    for (const [index, { name, value, unit }] of known.entries()) {
        const x = frame.left + index * (width - 2 * frame.left) / known.length;
        text(value, x, 1_125, 54, "ink", 650);
        text(unit || name, x, 1_172, 28, "ink-2", 400);
    }
    text("Pulselog", frame.left, 1_275, 32, "accent", 650);
}

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

/** The route in the frame: a halo of 30, a line of 20, in the colours of the heat-map. */
function route(context, track, heatMap, heat) {
    const stretch = stretchOf(track[0]);
    const plane = track.map(({ latitudeE7, longitudeE7 }) => [longitudeE7 * stretch, -latitudeE7]);
    const [xs, ys] = [0, 1].map((axis) => plane.map((point) => point[axis]));
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    const [wide, high] = [Math.max(...xs) - left, Math.max(...ys) - top];
    const room = { x: frame.right - frame.left - 60, y: frame.bottom - frame.top - 60 };
    const scale = Math.min(room.x / Math.max(wide, 1), room.y / Math.max(high, 1));
    const place = ([x, y]) => [(frame.left + frame.right) / 2 + (x - left - wide / 2) * scale,
        (frame.top + frame.bottom) / 2 + (y - top - high / 2) * scale];
    const points = plane.map(place);
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
    if (!heat?.isKnown) {
        line(0, points.length - 1, 20, "accent");
        return;
    }
    const placeOf = new Map(track.map(({ index }, place) => [index ?? place, place]));
    for (const [segment, { firstPoint, lastPoint }] of heatMap.entries()) {
        const { zone } = heat.segments[segment];
        const token = zone > 0 ? `zone-${zone}` : "zone-none";
        for (let index = firstPoint; index < lastPoint; index += 1) {
            const [from, to] = [placeOf.get(index), placeOf.get(index + 1)];
            if (from !== undefined && to !== undefined && !track[to].start) {
                line(from, to, 20, token);
            }
        }
    }
}
