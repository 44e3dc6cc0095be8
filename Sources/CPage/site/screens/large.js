// Live: large figures, to be read at arm's length; the map steps back until it is asked for.

import { button, el, setAttribute } from "../dom.js";
import { icon } from "../icons.js";
import { pictureOf, renew } from "../parts.js";

export class LargeFigures {
    constructor(panel, covered) {
        this.panel = panel;
        this.covered = covered;
        this.state = el("span.chip");
        this.list = el("dl");
        this.map = button("", () => this.close(), icon("map"), "Map");
        this.node = el("section.large", { "aria-label": "Large figures", hidden: true },
            el("div.top", this.state, this.map), this.list);
    }

    /** What is said and done comes along; what is covered cannot be reached. */
    open() {
        this.node.hidden = false;
        this.node.append(this.panel.aloud, this.panel.controls);
        for (const one of this.covered) one.inert = true;
        this.map.focus();
    }

    close() {
        this.node.hidden = true;
        for (const one of this.covered) one.inert = false;
        this.panel.node.prepend(this.panel.aloud);
        this.panel.node.append(this.panel.controls);
        this.panel.node.querySelector("button")?.focus();
    }

    draw(walk, heart) {
        const { chip } = this.panel;
        setAttribute(this.state, "class", chip.className);
        renew(this.state, [chip.className, chip.textContent],
            () => [...chip.cloneNode(true).childNodes]);
        renew(this.list, [heart.isShown ? heart : null, walk.large], ([shown, others]) => [
            shown && heartOf(shown), others.map((one) => figure(null, one.value,
                pictureOf(one.picture), el("span", one.name), one.note && el("small", one.note)))]);
    }
}

const heartOf = ({ state, value, zone, text }) => figure(
    `beats ${state === "on" ? "" : "off"}`, value, icon("heart", "i-fill c-heart"),
    el("span", "BPM"), el("span.zoneword", state === "on" && el(`i.dot.z${zone}`), text));

const figure = (classes, value, ...name) => el("div", { class: classes }, el("dt", ...name),
    el("dd", { class: value.length > 6 ? "long" : null }, value));
