// The overlay: the heart card alone, over whatever lies below it. Its address has the secret, and
// says how large it is and what else it shows; what nobody knows of that is left out.

import { EventStream, staleMilliseconds } from "./api.js";
import { el, replace, setText } from "./dom.js";
import { pictureOf } from "./parts.js";
import { Pulse, stale } from "./screens/pulse.js";

const asked = new URLSearchParams(location.search);
const still = matchMedia("(prefers-reduced-motion: reduce)");
const pulse = new Pulse();
const figures = [...new Set(asked.get("show")?.split(","))]
    .filter((name) => ["pace", "distance", "time", "steps"].includes(name))
    .map((name) => ({ name, node: el("li", { class: name, hidden: true }) }));
const line = el("ul.figs", { hidden: true }, figures.map(({ node }) => node));
line.classList.toggle("four", figures.length > 3);
pulse.node.classList.add(["s", "l"].find((size) => size === asked.get("size")) ?? "m");
pulse.node.classList.toggle("bare", asked.get("zone") === "off");
pulse.node.hidden = true;
pulse.node.append(line);
document.body.append(pulse.node);

/** What is measured; what was, and is not now, keeps its place for as long as the walk lasts. */
function drawFigures(known = null) {
    for (const { name, node } of figures) {
        const figure = known?.[name];
        node.classList.toggle("out", !figure);
        if (known === null) node.hidden = true;
        if (!figure) continue;
        if (node.hidden) replace(node, pictureOf(figure.picture), el("span"), el("small"));
        node.hidden = false;
        setText(node.children[1], figure.value);
        setText(node.children[2], figure.unit);
    }
    line.hidden = figures.every(({ node }) => node.hidden);
    pulse.node.classList.toggle("two", !line.hidden);
}

const isOwn = asked.get("beat") === "heart";
const usualBeatMilliseconds = 900;
let [ageing, last] = [0, 0];
let ownBeat = null;

/**
 * A beat is two drawings, with none between, and but for `beat=heart` the first has what is new as
 * well: a machine that sends a video has little to spare.
 */
function beat() {
    const heart = still.matches ? null : pulse.node.querySelector(".beat, .beat-own");
    heart?.style.setProperty("transform", "scale(1.12)");
    setTimeout(() => heart?.style.removeProperty("transform"), 120);
    last = performance.now();
    if (isOwn) setTimeout(beat, ownBeat ?? usualBeatMilliseconds);
}

new EventStream({
    link() {},
    scene(view) {
        clearTimeout(ageing);
        ageing = setTimeout(() => {
            pulse.draw({ ...view.pulse, ...stale });
            drawFigures({});
        }, staleMilliseconds);
        pulse.draw(view.pulse);
        drawFigures(view.figures);
        ownBeat = view.pulse.beatMilliseconds ?? ownBeat;
        if (!isOwn && performance.now() - last >= usualBeatMilliseconds) beat();
    },
    refused() {
        clearTimeout(ageing);
        pulse.node.hidden = true;
    },
}, `/api${location.pathname}`);
if (isOwn) beat();
