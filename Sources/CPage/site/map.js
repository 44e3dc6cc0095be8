// The map: Leaflet over a graticule of our own, or over tiles where there are some. Leaflet writes
// `stroke` as an attribute, so that the classes of figures.css win and a change of theme needs no
// redraw.

import { arc } from "./arc.js";
import { icon } from "./icons.js";
import { el, setAttribute, svg } from "./dom.js";
import { paperEvents } from "./paper.js";
import { missing } from "./parts.js";
import { layTiles } from "./tiles.js";

/** Undefined on a machine without the library. */
const L = globalThis.L;
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const latLng = (point) => [point.latitudeE7 / 1e7, point.longitudeE7 / 1e7];

const graticuleSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 18_000, 36_000]
    .map((seconds) => seconds / 3600);

/** Lines of latitude and longitude below the track, redrawn when the map comes to rest. */
class Graticule {
    constructor(map, labelTop) {
        this.map = map;
        this.labelTop = labelTop;
        map.createPane("graticule");
        this.sheet = svg("svg", { "aria-hidden": "true" });
        map.getPane("graticule").append(this.sheet);
        map.on("moveend zoomend resize", () => this.draw());
        map.on("zoomstart", () => this.sheet.replaceChildren());
        this.draw();
    }

    draw() {
        const { map, sheet } = this;
        const size = map.getSize();
        const corner = map.containerPointToLayerPoint([0, 0]);
        L.DomUtil.setPosition(sheet, corner);
        sheet.setAttribute("width", size.x);
        sheet.setAttribute("height", size.y);
        sheet.replaceChildren();
        // Before a place is known the map shows a wide area: lines would only pretend.
        const isFar = map.getZoom() <= 3;
        map.getContainer().parentElement.classList.toggle("far", isFar);
        if (isFar) return;
        const bounds = map.getBounds();
        const middle = map.getCenter();
        const wide = bounds.getEast() - bounds.getWest();
        if (!(wide > 0) || size.x === 0) return;
        const step = graticuleSteps.find((s) => (s / wide) * size.x > 72) ?? 10;
        const xs = lines(bounds.getWest(), bounds.getEast(), step)
            .map((value) => [value, map.latLngToContainerPoint([middle.lat, value]).x]);
        const ys = lines(bounds.getSouth(), bounds.getNorth(), step)
            .map((value) => [value, map.latLngToContainerPoint([value, middle.lng]).y]);
        this.#draw(xs, ys, size, step);
    }

    #draw(xs, ys, size, step) {
        const grid = xs.map(([, x]) => `M${x} 0V${size.y}`).join("")
            + ys.map(([, y]) => `M0 ${y}H${size.x}`).join("");
        const ticks = xs.flatMap(([, x]) =>
            ys.map(([, y]) => `M${x - 3} ${y}h6M${x} ${y - 3}v6`)).join("");
        this.sheet.append(svg("path", { d: grid, class: "grat" }),
            svg("path", { d: ticks, class: "tick" }));
        const gap = xs.length > 1 ? xs[1][1] - xs[0][1] : size.x;
        const every = Math.max(1, Math.ceil(112 / gap));
        const covers = coversOf(this.map.getContainer());
        const isCovered = (x, y) => covers.some(({ left, top, right, bottom }) =>
            x < right && x + 72 > left && y > top && y - 12 < bottom);
        for (const [value, x] of xs) {
            if (Math.round(value / step) % every !== 0 || x < 8 || x > size.x - 78
                || isCovered(x + 5, this.labelTop)) continue;
            this.sheet.append(svg("text", { x: x + 5, y: this.labelTop }, arc(value, "E", "W")));
        }
        for (const [value, y] of ys) {
            if (y < this.labelTop + 14 || y > size.y - 24) continue;
            if (isCovered(size.x - 78, y - 5)) continue;
            this.sheet.append(svg("text", { x: size.x - 6, y: y - 5, "text-anchor": "end" },
                arc(value, "N", "S")));
        }
    }
}

/** What floats over the map's edges, where the labels are. */
function coversOf(plane) {
    const whole = plane.getBoundingClientRect();
    return [...document.querySelectorAll(".map-tools, .pulse, .back")].map((node) => {
        const { x, y, width, height } = node.getBoundingClientRect();
        return new DOMRect(x - whole.x, y - whole.y, width, height);
    });
}

const mostPoints = 2_000;

/** So far from the track its points are still meant. */
const nearPixels = 40;

function lines(from, to, step) {
    const values = [];
    for (let k = Math.ceil(from / step); k * step < to && values.length < 200; k += 1) {
        values.push(k * step);
    }
    return values;
}

/** What stands in place of a map on a machine without the library. */
class MissingMap {
    points = [];
    following = false;
    plane = el("div");

    constructor(box) {
        box.prepend(missing("The map needs", "libjs-leaflet"));
    }

    setTrack() {}
    setKilometres() {}
    setMarks() {}
    setPlace() {}
    setHeat() {}
    setCursor() {}
    fit() {}
    follow() {}
    destroy() {}
}

/** What an empty map says: that no position is known, and why. */
export const drawBlind = (box, { view, scene }, track = []) => setAttribute(box, "data-blind",
    track.length > 0 || (scene.gps?.quality ?? "none") !== "none" ? null : view.strap.gps);

/** A map in `box`, an element with the class `map`. */
class DrawnMap {
    #drawn = [];
    #parts = [];
    #length = 0;
    #fitted = false;
    #markedAs = "";

    /**
     * `options`: label, tools, follow (a tool too), padding() for [left, top, right, bottom],
     * pointed(point) for the point of the track that somebody points at.
     */
    constructor(box, options) {
        this.box = box;
        this.options = options;
        this.following = options.follow === true;
        const plane = el("div", { "aria-label": options.label, role: "group" });
        box.prepend(plane);
        this.plane = plane;
        this.map = L.map(plane, {
            zoomControl: false, attributionControl: false, renderer: L.svg({ padding: 1 }),
            zoomSnap: .25, zoomDelta: 1, minZoom: 3, maxZoom: 19, center: [20, 0], zoom: 3,
            zoomAnimation: !calm(), fadeAnimation: !calm(), inertia: !calm(),
            keyboard: options.tools !== false, dragging: options.tools !== false,
            scrollWheelZoom: options.tools !== false,
        });
        if (options.tools === false) plane.removeAttribute("tabindex");
        this.map.createPane("here");
        this.graticule = new Graticule(this.map, options.labelTop ?? 16);
        if (options.scale !== false) {
            L.control.scale({ imperial: false, maxWidth: 90 }).addTo(this.map);
        }
        if (options.tools !== false) this.#addTools();
        this.sized = () => {
            this.map.invalidateSize({ animate: false });
            if (options.follow !== true) this.fit();
        };
        for (const name of paperEvents) addEventListener(name, this.sized);
        this.map.on("resize", () => this.follow());
        this.map.on("zoomend", () => this.#layTexts());
        this.map.on("dragstart", () => this.#setFollowing(false));
        if (options.pointed) this.map.on("mousemove click", (event) => this.#point(event));
        layTiles(this.map, box, options.scale === false ? "topleft" : "bottomleft");
    }

    #addTools() {
        const tool = (label, name, act) =>
            el("button", { type: "button", "aria-label": label, onclick: act }, icon(name));
        const animate = () => ({ animate: !calm() });
        const list = [
            tool("Zoom in", "plus", () => this.map.zoomIn(1, animate())),
            tool("Zoom out", "minus", () => this.map.zoomOut(1, animate())),
        ];
        if (this.options.follow) {
            this.followTool = tool("Follow me", "locate", () => {
                this.#setFollowing(true);
                this.follow();
            });
            this.followTool.setAttribute("aria-pressed", "true");
            list.push(this.followTool);
        }
        const { tool: own } = this.options;
        if (own) list.push(tool(own.name, own.picture, own.act));
        this.box.append(el("div.map-tools", list));
    }

    #setFollowing(following) {
        this.following = following && this.options.follow === true;
        this.followTool?.setAttribute("aria-pressed", String(this.following));
    }

    /** Draws the track; points that continue what is drawn are added to it. */
    setTrack(points, { live = false } = {}) {
        // Not the track that is drawn, but another one, or one whose begin came later.
        if (points.length < this.#length || points[0] !== this.points?.[0]) {
            this.clear();
        }
        if (points.length === this.#length) return;
        this.points = points;
        for (let index = this.#length; index < points.length; index += 1) {
            const point = points[index];
            if (point.start || this.#parts.length === 0) this.#beginPart(points[index - 1], point);
            else if (this.#parts.at(-1).places.length > mostPoints) {
                // A long walk is drawn in pieces: a new point moves only the last of them.
                this.#addPart([latLng(points[index - 1])]);
            }
            this.#parts.at(-1).places.push(latLng(point));
        }
        // Each change of a path projects all its points: once per part, not once per point.
        for (const part of this.#parts.filter((one) => one.drawn < one.places.length)) {
            part.halo.setLatLngs(part.places);
            part.line.setLatLngs(part.places);
            part.drawn = part.places.length;
        }
        const first = this.#length === 0;
        this.#length = points.length;
        if (first) this.#dot("start", points[0], 6);
        this.#setLast(points.at(-1), live);
        if (!this.#fitted) {
            this.fit();
            this.#fitted = true;
        }
        if (live) this.follow();
    }

    #beginPart(before, point) {
        if (before) this.#path([latLng(before), latLng(point)], "gap");
        this.#addPart([]);
    }

    #addPart(places) {
        const halo = this.#path([], "halo");
        // Halos lie below all lines: else each would cover the end of the piece before it.
        halo.bringToBack();
        this.#parts.push({ halo, line: this.#path([], "track"), places, drawn: 0 });
    }

    #path(places, className, more = {}) {
        const path = L.polyline(places, {
            className, interactive: false, smoothFactor: .5, lineCap: "round", lineJoin: "round",
            opacity: 1, ...more,
        }).addTo(this.map);
        this.#drawn.push(path);
        return path;
    }

    #dot(className, point, radius, pane = "overlayPane") {
        const dot = L.circleMarker(latLng(point), { className, radius, pane, interactive: false })
            .addTo(this.map);
        this.#drawn.push(dot);
        return dot;
    }

    #setLast(point, live) {
        const here = [["near", 26], ["here", 9]];
        this.last ??= live ? here.map(([name, size]) => this.#dot(name, point, size, "here"))
            : [this.#dot("end", point, 6)];
        for (const dot of this.last) dot.setLatLng(latLng(point)).bringToFront();
    }

    /** Where each kilometre or mile is over. */
    setKilometres(all) {
        for (const { name, place } of all.filter((one) => one.place !== null)) {
            L.marker(latLng(place), { icon: L.divIcon({ className: "km", iconSize: [20, 20],
                html: el("span", name) }), interactive: false, keyboard: false }).addTo(this.map);
        }
    }

    /** Shows marks, `{position, name, text, place}`: a text is next to its flag. */
    setMarks(all) {
        const marks = all.filter((mark) => mark.place !== null);
        const now = marks.map((mark) => `${mark.position} ${mark.text}`).join("\n");
        if (now === this.#markedAs) return;
        this.#markedAs = now;
        for (const flag of this.flags ?? []) flag.remove();
        this.flags = marks.map(({ place, text, name }) => L.marker(latLng(place), {
            icon: L.divIcon({ className: "flag", iconSize: [26, 26], html: icon("flag", "i-s") }),
            keyboard: false, text, name,
        }).addTo(this.map));
        this.#layTexts();
    }

    /** A text is next to its flag where it lies on no later one; others are shown one by one. */
    #layTexts() {
        const laid = [];
        for (const flag of [...this.flags ?? []].reverse()) {
            const { text, name } = flag.options;
            const bind = (permanent) => flag.unbindTooltip().bindTooltip(el("span", text || name),
                { permanent, direction: "auto", offset: [10, 0], className: "flag-text" });
            bind(text !== "");
            if (text === "") continue;
            const box = flag.getTooltip().getElement().getBoundingClientRect();
            if (laid.some((other) => box.left < other.right && other.left < box.right
                && box.top < other.bottom && other.top < box.bottom)) bind(false);
            else laid.push(box);
        }
    }

    /** Shows a single place, at the set-up; null once it is no longer known. */
    setPlace(point) {
        if (point === null) {
            for (const dot of this.last ?? []) dot.remove();
            this.#drawn = this.#drawn.filter((one) => !this.last?.includes(one));
            this.last = undefined;
        } else this.#setLast(point, true);
    }

    /**
     * Colours the track: segments `{firstPoint, lastPoint, zone (0 to 4), opacity, label, isRamp}`;
     * on a ramp all zones have one colour. Null goes back to the plain line.
     */
    setHeat(segments) {
        for (const path of this.heat ?? []) path.remove();
        this.heat = [];
        const plain = !segments;
        for (const part of this.#parts) {
            part.line.getElement()?.classList.toggle("unseen", !plain);
        }
        if (plain) return;
        for (const segment of segments) {
            const places = this.points.slice(segment.firstPoint, segment.lastPoint + 1).map(latLng);
            if (places.length < 2) continue;
            const path = L.polyline(places, {
                className: `seg ${segment.isRamp && segment.zone > 0 ? "of-ramp"
                    : `z${segment.zone}`}`, lineCap: "round", lineJoin: "round", opacity: 1,
                smoothFactor: .5,
            }).addTo(this.map);
            path.getElement().style.setProperty("--o", segment.zone === 0 ? 1 : segment.opacity);
            path.bindTooltip(el("span", segment.label), { sticky: true, direction: "top" });
            this.heat.push(path);
        }
        for (const dot of this.#drawn.filter((drawn) => drawn.setRadius)) dot.bringToFront();
    }

    /** Finds the point of the track that is nearest to the pointer, if it is near at all. */
    #point({ latlng, containerPoint }) {
        const narrowing = Math.cos(latlng.lat * Math.PI / 180);
        let [nearest, least] = [null, Infinity];
        for (const point of this.points ?? []) {
            const [lat, lng] = latLng(point);
            const away = (lat - latlng.lat) ** 2 + ((lng - latlng.lng) * narrowing) ** 2;
            if (away < least) [nearest, least] = [point, away];
        }
        if (nearest === null) return;
        const { x, y } = this.map.latLngToContainerPoint(latLng(nearest));
        if (Math.hypot(x - containerPoint.x, y - containerPoint.y) < nearPixels) {
            this.options.pointed(nearest);
        }
    }

    /** Shows the place of a moment; null takes it away. */
    setCursor(point) {
        if (point === null) {
            this.cursor?.remove();
            this.cursor = null;
            return;
        }
        this.cursor ??= L.circleMarker(latLng(point), {
            className: "cursor", radius: 7, interactive: false,
        }).addTo(this.map);
        this.cursor.setLatLng(latLng(point)).bringToFront();
    }

    /** The whole track in the part of the map that nothing covers. */
    fit() {
        if (!this.points?.length) return;
        const [left, top, right, bottom] = this.options.padding?.() ?? [40, 40, 40, 40];
        this.map.fitBounds(L.latLngBounds(this.points.map(latLng)), {
            paddingTopLeft: [left, top], paddingBottomRight: [right, bottom],
            maxZoom: 17.5, animate: false,
        });
    }

    /** Keeps where the walker is in the middle of what is free, while that is wanted. */
    follow() {
        if (!this.following || !this.points?.length) return;
        const [left, top, right, bottom] = this.options.padding();
        const { x, y } = this.map.latLngToContainerPoint(latLng(this.points.at(-1)));
        const size = this.map.getSize();
        const away = [x - (left + size.x - right) / 2, y - (top + size.y - bottom) / 2];
        if (Math.hypot(...away) > 12) this.map.panBy(away, { animate: false });
    }

    clear() {
        this.setMarks([]);
        for (const path of [...this.#drawn, ...(this.heat ?? [])]) path.remove();
        this.#drawn = [];
        this.#parts = [];
        this.heat = [];
        this.last = undefined;
        this.#length = 0;
        this.#fitted = false;
    }

    destroy() {
        for (const name of paperEvents) removeEventListener(name, this.sized);
        // Leaflet tells of a new size a moment later, also of a map that is gone by then.
        this.map.off("moveend").remove();
    }
}

export const TrackMap = L ? DrawnMap : MissingMap;
