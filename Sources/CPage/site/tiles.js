// The map's tiles, if Pulselog was given a file with some; they come from where the page comes
// from.

import { api, unlessRefused } from "./api.js";
import { el } from "./dom.js";

/** Undefined on a machine without the library: then nobody asks for tiles. */
const L = globalThis.L;

/** Leaflet's own layer of pictures puts `data:` into those it lets go of; the policy forbids it. */
const Tiles = L?.GridLayer.extend({
    createTile({ x, y, z }, done) {
        const image = el("img", { alt: "" });
        const tile = el("div", image);
        // What a level lacks, the one above it has smaller: a part of that is stretched.
        const show = (level) => {
            const side = 2 ** (z - level);
            const [left, top, size] = [-x % side, -y % side, side].map((part) => `${100 * part}%`);
            Object.assign(image.style, { width: size, height: size, margin: `${top} 0 0 ${left}` });
            image.onload = () => done(null, tile);
            image.onerror = (error) => {
                if (level > this.options.minZoom) show(level - 1);
                else done(error, tile);
            };
            image.src = `/tiles/${level}/${Math.floor(x / side)}/${Math.floor(y / side)}`;
        };
        show(z);
        return tile;
    },
});

let known = null;

/** What is known of the tiles, asked for once: `{minZoom, maxZoom, attribution}`, or null. */
function askOnce() {
    known ??= api.map().then(({ tiles }) => tiles).catch((error) => {
        known = null;
        return unlessRefused(error);
    });
    return known;
}

/** Names who made the map, where panels leave room for it. */
const Credit = L?.Control.extend({
    onAdd() {
        return el("p.credit", this.options.text);
    },
});

/** Lays tiles below a map in `box`, if there are any, and says at `position` who made them. */
export async function layTiles(map, box, position) {
    const tiles = await askOnce();
    if (tiles === null || !box.isConnected) return;
    new Tiles({ minZoom: tiles.minZoom, maxNativeZoom: tiles.maxZoom, maxZoom: 19 }).addTo(map);
    box.classList.add("tiled");
    if (tiles.attribution !== "") new Credit({ text: tiles.attribution, position }).addTo(map);
}
