// After: the route with its heat-map. Off at first, legend on; choosing a type switches it on.

import { button, el, replace, setText, svg } from "../dom.js";
import { hasHeat, heat, heatTypes } from "../heat.js";
import { icon } from "../icons.js";
import { TrackMap } from "../map.js";
import { placesOf } from "../marks.js";
import { toggle } from "../parts.js";
import { kilometres, sentences } from "../words.js";

/** The map with the heat-map's switch, type and legend. Off at first, legend on. */
export function routeCard(session, hasHeart, made) {
    const box = el("div.map");
    const legend = el("ul.legend", { "aria-label": "Legend" });
    const hint = el("p.legend", { role: "status" });
    const types = heatTypes.filter(({ key }) => hasHeat(session, key));
    const initial = { isOn: false, key: types[0]?.key ?? "heart" };
    const state = { ...initial };
    const select = el("select", { "aria-label": "Heat-map shows" },
        heatTypes.map(({ key, name }) => el("option", {
            value: key, disabled: !types.some((type) => type.key === key),
        }, name)));
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
        const { segments, legend: list } = types.length === 0 ? { segments: [], legend: [] }
            : heat(session, state.key);
        replace(legend, list.map(legendRow));
        const text = state.isOn ? "" : types.length === 0 ? sentences.heatNone
            : hasHeart ? sentences.heatOff : sentences.heatWithoutHeart;
        setText(hint, text);
        hint.hidden = text === "";
        map?.setHeat(state.isOn ? segments : null);
    }

    // Leaflet wants a box that has a size: the card is put into the page first.
    queueMicrotask(() => {
        const length = kilometres(session.distanceMillimetres);
        map = new TrackMap(box, {
            label: `Route of ${length} kilometres`, padding: () => [44, 36, 64, 44],
        });
        made.push(map);
        map.setTrack(session.track);
        map.setMarks(placesOf(session.markList, session.track));
    });
    set({});
    return node;
}

function legendRow({ zone, name, from }) {
    const shades = zone === 0 ? [svg("rect", { width: 36, height: 10 })]
        : [.4, .6, .8, 1].map((opacity, index) => svg("rect",
            { x: 9 * index, y: 0, width: 9, height: 10, "fill-opacity": opacity }));
    return el("li", { class: `z${zone}` }, svg("svg", { "aria-hidden": "true" }, shades),
        `${name} `, from ? el("span.note", from) : null);
}
