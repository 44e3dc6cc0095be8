// After: the route with its heat-map. Off at first, legend on; choosing a type switches it on.

import { lastUntil } from "../cursor.js";
import { button, el, replace, setText, svg } from "../dom.js";
import { icon } from "../icons.js";
import { TrackMap } from "../map.js";
import { toggle } from "../parts.js";
import { sentences } from "../words.js";

/** The map with the heat-map's switch, type and legend. Off at first, legend on. */
export function routeCard({ track, heatMap, view }, cursor, made) {
    const { label, heat, hint: off } = view.route;
    const box = el("div.map");
    const legend = el("ul.legend", { "aria-label": "Legend" });
    const hint = el("p.legend", { role: "status" });
    const types = heat.filter(({ isKnown }) => isKnown);
    const initial = { isOn: false, key: types[0]?.key ?? "heart" };
    const state = { ...initial };
    const select = el("select", { "aria-label": "Heat-map shows" },
        heat.map(({ key, name, isKnown }) =>
            el("option", { value: key, disabled: !isKnown }, name)));
    const heatSwitch = toggle("hm", false, (event) => set({ isOn: event.target.checked }));
    const input = heatSwitch.querySelector("input");
    select.addEventListener("change", () => set({ key: select.value, isOn: true }));
    input.disabled = types.length === 0;
    const reset = button("plain", () => set(initial),
        icon("reset", "i-s"), "Reset");
    reset.setAttribute("aria-label", "Reset the heat-map");
    const node = el("section.card.route", { "aria-label": "Route" }, box,
        el("div.heat", el("label.on", { for: "hm" }, heatSwitch, "Heat-map"),
            el("span.select", select, icon("down", "i-s")), reset), legend, hint);
    let map = null;

    function set(change) {
        Object.assign(state, change);
        input.checked = state.isOn;
        select.value = state.key;
        const { segments, legend: list, ramp } = types.find(({ key }) => key === state.key)
            ?? { segments: [], legend: [] };
        replace(legend, ramp ? rampRow(ramp) : null, list.map(legendRow));
        point(cursor.at);
        const text = state.isOn ? "" : types.length === 0 ? sentences.heatNone : off;
        setText(hint, text);
        hint.hidden = text === "";
        map?.setHeat(state.isOn ? segments.map((segment, index) =>
            ({ ...heatMap[index], ...segment, isRamp: ramp != null })) : null);
    }

    /** The legend says to which of its rows the place of the cursor belongs. */
    function point(at) {
        const index = at === null ? -1 : pointAt(track, at);
        const { segments } = types.find(({ key }) => key === state.key) ?? { segments: [] };
        const here = heatMap.findIndex(({ firstPoint, lastPoint }) =>
            firstPoint <= index && index < lastPoint);
        const zone = state.isOn ? segments[here]?.zone : undefined;
        for (const row of legend.querySelectorAll("[data-zone]")) {
            row.classList.toggle("at", row.dataset.zone === String(zone));
        }
        map?.setCursor(index < 0 ? null : track[index]);
    }

    cursor.listen(point);
    // Leaflet needs a box that has a size: the card is put into the page first.
    queueMicrotask(() => {
        map = new TrackMap(box, {
            label, padding: () => [44, 36, 64, 44],
            pointed: ({ elapsedMilliseconds: at }) => cursor.set(at),
        });
        made.push(map);
        map.setTrack(track);
        map.setKilometres(view.along.kilometres);
        map.setMarks(view.marks);
    });
    set({});
    return node;
}

/** The index of the last point until a moment; -1 before all of them. */
const pointAt = (track, at) => lastUntil(track, at, (one) => one.elapsedMilliseconds);

/** A zone, or what has no value. */
function legendRow({ zone, name, from }) {
    const shades = zone === 0 ? [svg("rect", { width: 36, height: 10 })]
        : [.4, .6, .8, 1].map((opacity, index) => svg("rect",
            { x: 9 * index, y: 0, width: 9, height: 10, "fill-opacity": opacity }));
    return el("li", { class: `z${zone}`, "data-zone": zone },
        svg("svg", { "aria-hidden": "true" }, shades),
        `${name} `, from ? el("span.note", from) : null);
}

/** One colour in four steps, with the limits between them; a mark says where the cursor is. */
function rampRow({ label, low, high, limits }) {
    return el("li.ramp", el("span", { "aria-hidden": "true" }, low),
        svg("svg", { role: "img", "aria-label": label },
            [0, 1, 2, 3].map((step) => svg("g", { "data-zone": step + 1 },
                svg("rect", { x: `${25 * step}%`, y: 2, width: "24.6%", height: 10, rx: 2,
                    "fill-opacity": .25 * (step + 1) }),
                svg("svg", { class: "mark", x: `${25 * step + 12.5}%` },
                    svg("path", { d: "M-5 20h10l-5-6z" })))),
            limits.map((text, step) => svg("text", { x: `${25 * (step + 1)}%`, y: 34,
                "text-anchor": "middle" }, text))),
        el("span", { "aria-hidden": "true" }, high));
}
