// Live: the heart card. Held shows no change at all; what is lost is grey, with a dash.

import { el, setAttribute, setText } from "../dom.js";
import { icon } from "../icons.js";
import { renew } from "../parts.js";
import { settings } from "../settings.js";

/** The heart card when no state has come for too long. */
export const stale = {
    state: "off", isHeld: false, isBeyond: false, value: "–", beatMilliseconds: null, zone: 0,
    text: "No value", said: null,
};

/** The heart card: every slot has a fixed size, so that no value moves another. */
export class Pulse {
    #state = null;
    #beat = null;

    constructor() {
        this.heart = el("span");
        this.heart.addEventListener("animationiteration", () => this.#takeBeat());
        this.number = el("span.num");
        this.zone = el("span.zone");
        this.node = el("section", { class: "pulse glass", "aria-label": "Heart rate" },
            this.heart, this.number, el("span.unit", "BPM"), this.zone);
    }

    /** With the option "with the heart" it beats as often; a new length begins with a beat. */
    #beatAs(milliseconds) {
        if (!settings.beatsWithHeart || milliseconds === null) return;
        const length = `${milliseconds}ms`;
        const isFirst = this.#beat === null;
        this.#beat = length;
        if (isFirst) this.#takeBeat();
    }

    #takeBeat() {
        if (this.#beat !== null) this.heart.style.setProperty("--own-beat", this.#beat);
    }

    /** Held shows no change at all: what was shown of the heart stays. */
    draw({ isShown, isHeld, isBeyond, state, value, beatMilliseconds, zone, text }) {
        this.node.hidden = !isShown;
        if (isHeld && this.#state === "on") return;
        this.#state = state;
        this.node.classList.toggle("over", isBeyond);
        this.node.classList.toggle("off", state !== "on");
        this.node.classList.toggle("hold", state === "hold");
        renew(this.heart, state, () => icon("heart", state === "on" ? beatClasses()
            : state === "hold" ? "" : "i-fill"));
        this.#beatAs(beatMilliseconds);
        setText(this.number, value);
        setAttribute(this.number, "aria-label", state === "on" ? null : "no value");
        renew(this.zone, [state, isBeyond, zone, text], () => [isBeyond ? icon("bell")
            : state === "on" && el(`i.dot.z${zone}`), el("span", text)]);
    }
}

const beatClasses = () => (settings.beatsWithHeart ? "i-fill beat-own" : "i-fill beat");
