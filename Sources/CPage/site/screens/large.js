// Live: large figures, to be read at arm's length; the map steps back until it is asked for.

import { button, el, replace, setText } from "../dom.js";
import { icon } from "../icons.js";
import { pictureOf } from "../parts.js";

export class LargeFigures {
    constructor(panel, covered) {
        this.panel = panel;
        this.covered = covered;
        this.word = el("span.quiet");
        this.heart = figure(icon("heart", "i-fill c-heart"), "BPM");
        this.zone = el("span.zoneword");
        this.heart.name.append(this.zone);
        this.heart.node.classList.add("beats");
        this.others = [];
        this.list = el("dl");
        this.map = button("", () => this.close(), icon("map"), "Map");
        this.node = el("section.large", { "aria-label": "Large figures", hidden: true },
            el("div.top", this.word, this.map), this.list);
    }

    /** What is said and done comes along; what is covered cannot be reached. */
    open() {
        this.node.hidden = false;
        this.node.append(...this.#shared);
        for (const one of this.covered) one.inert = true;
        this.map.focus();
    }

    close() {
        this.node.hidden = true;
        for (const one of this.covered) one.inert = false;
        const [aloud, ...others] = this.#shared;
        this.panel.node.prepend(aloud);
        this.panel.node.append(...others);
        this.panel.node.querySelector("button")?.focus();
    }

    get #shared() {
        return [this.panel.aloud, this.panel.said, this.panel.controls];
    }

    draw(walk, heart) {
        if (this.node.hidden) return;
        setText(this.word, walk.word);
        this.heart.node.hidden = !heart.isShown;
        this.heart.node.classList.toggle("off", heart.state !== "on");
        setText(this.heart.value, heart.value);
        replace(this.zone, heart.state === "on" ? el(`i.dot.z${heart.zone}`) : null, heart.text);
        const keys = walk.large.map(({ key }) => key).join(" ");
        if (this.keys !== keys) {
            this.keys = keys;
            this.others = walk.large.map(({ picture }) => figure(pictureOf(picture), ""));
            replace(this.list, this.heart.node, this.others.map(({ node }) => node));
        }
        for (const [index, { name, value }] of walk.large.entries()) {
            setText(this.others[index].word, name);
            setText(this.others[index].value, value);
        }
    }
}

function figure(picture, text) {
    const word = el("span", text);
    const name = el("dt", picture, word);
    const value = el("dd");
    return { node: el("div", name, value), name, word, value };
}
