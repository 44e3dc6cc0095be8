// Live: the heart card. Held shows no change at all; what is lost is grey, with a dash.

import { el, replace, setAttribute, setText } from "../dom.js";
import { icon } from "../icons.js";
import { settings } from "../settings.js";
import { bluetooth, zoneOf } from "../words.js";

/** The heart card: every slot has a fixed size, so that no value moves another. */
export class Pulse {
    #state = null;
    #last = null;
    #beat = null;

    constructor() {
        this.heart = el("span");
        this.heart.addEventListener("animationiteration", () => this.#takeBeat());
        this.number = el("span.num");
        this.dot = el("i.dot");
        this.word = el("span");
        this.node = el("section", { class: "pulse glass", "aria-label": "Heart rate" },
            this.heart, this.number, el("span.unit", "BPM"), el("span.zone", this.dot, this.word));
    }

    /** With the option "with the heart" a beat takes 60/BPM s; a new length begins with a beat. */
    #beatAs(bpm) {
        if (!settings.beatsWithHeart || !(bpm > 0)) return;
        const length = `${Math.round(60_000 / bpm)}ms`;
        const isFirst = this.#beat === null;
        this.#beat = length;
        if (isFirst) this.#takeBeat();
    }

    #takeBeat() {
        if (this.#beat !== null) this.heart.style.setProperty("--own-beat", this.#beat);
    }

    /** Shows the connection; `zones` are the session's. */
    draw(connection, isPaused, zones) {
        this.node.hidden = !connection.device;
        const { state, text, bpm } = pulseOf(connection, isPaused, this.#last);
        this.#last = bpm ?? this.#last;
        if (state !== this.#state) {
            this.#state = state;
            setAttribute(this.node, "class", `pulse glass ${state === "on" ? "" : "off"} `
                + (state === "hold" ? "hold" : ""));
            replace(this.heart, icon("heart", state === "on" ? beatClasses()
                : state === "hold" ? "" : "i-fill"));
        }
        this.#beatAs(bpm);
        const zone = zoneOf(bpm, zones);
        setText(this.number, bpm ?? "–");
        setAttribute(this.number, "aria-label", bpm === null ? "no value" : null);
        setAttribute(this.dot, "class", `dot z${zone}`);
        this.dot.hidden = bpm === null;
        setText(this.word, text ?? zones[zone - 1].name);
    }
}

const beatClasses = () => (settings.beatsWithHeart ? "i-fill beat-own" : "i-fill beat");

/** Held shows no change at all: it is drawn as what it was. */
function pulseOf(connection, isPaused, last) {
    if (isPaused) return { state: "hold", text: "Paused", bpm: null };
    if (connection.status === "disconnected") {
        const hindrance = bluetooth[connection.activity];
        const text = hindrance ? "No Bluetooth"
            : connection.activity === "connecting" ? "Connecting" : "Reconnecting";
        return { state: "off", text, bpm: null };
    }
    if (connection.status === "held" && connection.bpm == null && last !== null) {
        return { state: "on", text: null, bpm: last };
    }
    if (connection.withoutContact || connection.bpm === 0) {
        return { state: "off", text: "No contact", bpm: null };
    }
    if (connection.silent || connection.bpm == null) {
        return { state: "off", text: "No value", bpm: null };
    }
    // Its colour still tells the zone.
    const text = connection.provisional ? "Not saved yet" : null;
    return { state: "on", text, bpm: connection.bpm };
}
