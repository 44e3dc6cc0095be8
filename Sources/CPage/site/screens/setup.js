// Set-up: what is ready (quiet), the goal (the only loud thing), and settings (closed at first). In
// place of the goal stands pairing while no strap is paired, or the walk that was left open.

import { button, el, replace, setAttribute, setText } from "../dom.js";
import { icon } from "../icons.js";
import { Lease } from "../lease.js";
import { TrackMap } from "../map.js";
import {
    attempt, codes, figure, pairButton, redraw, saidLine, steady, strapRow,
} from "../parts.js";
import {
    bluetooth, count, duration, goalText, gpsText, kilometres, measuresOf, openSince, sentences,
    strapName,
} from "../words.js";
import { choice, goalIcons, goalTierOf, target } from "./goal.js";
import { Place } from "./place.js";

export const name = "set-up";
export const title = "Set up a walk";
export const isStage = true;

export function mount(main, { store, speaker }) {
    const box = el("div.map");
    const sheet = new Sheet(store, speaker);
    main.append(el("h1.vh", title), box, sheet.node);
    const map = new TrackMap(box, {
        label: "Map of where you are", tools: false, scale: false, labelTop: 18,
    });
    const place = new Place(map);
    // While this is on the screen the server connects to the strap and reconciles the steps.
    const lease = new Lease(() => store.command("setUp"),
        () => !store.isElsewhere && !store.isWalking && store.leftOpen === null,
        (sentence) => setText(sheet.said, sentence));
    return {
        update() {
            lease.update();
            sheet.draw();
            place.draw(store.scene);
        },
        unmount() {
            sheet.isGone = true;
            lease.end();
            map.destroy();
        },
    };
}

/** The sheet: strip, one of three bodies, and what begins the walk. */
class Sheet {
    isGone = false;
    #busy = false;
    #shown = null;

    constructor(store, speaker) {
        this.store = store;
        this.speaker = speaker;
        this.strip = stripOf();
        this.goal = goalTierOf(() => this.draw());
        this.pair = pairTierOf(store, speaker, () => {
            choice.changing = true;
            this.draw();
        });
        this.open = openTierOf();
        this.trouble = el("div.say", { hidden: true });
        this.said = saidLine();
        this.start = button("primary big", () => this.#begin(), "Start");
        this.plain = button("plain", () => this.#second(), "Start without a goal");
        this.node = el("section.sheet", { "aria-label": "Walk set-up" }, this.strip.node,
            this.trouble, this.goal.body, this.pair.body, this.open.body,
            el("div.sheet-foot", this.said, this.start, this.plain));
    }

    #begin() {
        if (this.store.leftOpen !== null) return this.#send("continue");
        return this.#send("start", {
            goal: { kind: choice.kind, target: target() }, outAndBack: choice.outAndBack,
        });
    }

    #second() {
        if (this.store.leftOpen !== null) return this.#send("end");
        return this.#send("start", { goal: { kind: "none" }, outAndBack: false });
    }

    async #send(command, more) {
        this.#busy = true;
        this.draw();
        await attempt(this.said, () => this.store.command(command, more));
        this.#busy = false;
        // By now the walk may have begun, and this screen be gone.
        if (!this.isGone && this.store.scene) this.draw();
    }

    draw() {
        const { scene, leftOpen, isElsewhere } = this.store;
        const connection = scene.connection ?? {};
        const hindrance = bluetooth[connection.activity];
        const isUnpaired = !connection.device && !hindrance && !isElsewhere;
        const shown = leftOpen !== null ? "open"
            : isUnpaired && !choice.changing ? "none" : hindrance ? "off" : "ready";
        document.body.dataset.state = shown;
        this.strip.draw(scene, hindrance, isElsewhere, isElsewhere || leftOpen !== null);
        drawTrouble(this.trouble, scene, hindrance, isElsewhere);
        this.#turn(shown);
        if (shown === "open") this.open.draw(leftOpen);
        else this.goal.draw(scene);
        if (shown === "none") this.pair.draw(scene);
        this.#drawFoot(shown, connection.device && !hindrance);
    }

    /** Shows one body; whoever had the focus in the one that goes gets a place in the next. */
    #turn(shown) {
        if (shown === this.#shown) return;
        const had = this.#shown !== null && this.node.contains(document.activeElement);
        this.#shown = shown;
        this.pair.body.hidden = shown !== "none";
        this.open.body.hidden = shown !== "open";
        this.goal.body.hidden = shown === "none" || shown === "open";
        if (had && document.activeElement?.closest("[hidden]")) this.goal.focus();
    }

    #drawFoot(shown, hasStrap) {
        const { scene, isElsewhere } = this.store;
        const isOpen = shown === "open";
        const isShut = isElsewhere || this.#busy || scene.phase === "starting";
        setText(this.start, isOpen ? "Continue it" : hasStrap || isElsewhere ? "Start"
            : "Start without a strap");
        setText(this.plain, isOpen ? "End it there" : "Start without a goal");
        this.start.disabled = isShut;
        this.plain.disabled = isShut;
        this.plain.hidden = shown === "none" || isElsewhere;
    }
}

/** Tier 1: position and strap; both lead to Devices. */
function stripOf() {
    const gps = el("span");
    const heart = el("a", { href: "#/devices" });
    const node = el("div.strip", { role: "group", "aria-label": "Ready to record" },
        el("a", { href: "#/devices" }, icon("gps"), gps), heart);
    const beating = icon("heart", "i-fill beat");
    const waiting = icon("heart", "wait");
    const strap = el("span.cut");
    const value = el("b");
    let state = null;
    // While nobody sets up here, nobody connects either.
    const draw = (scene, hindrance, isElsewhere, isQuiet) => {
        setText(gps, gpsText(scene.gps));
        const connection = scene.connection ?? {};
        const isUp = connection.status !== "disconnected" && connection.device;
        const next = isUp ? "up" : "waiting";
        if (state !== next) replace(heart, isUp ? beating : waiting, strap, value);
        state = next;
        const text = hindrance ? hindrance.short
            : connection.device ? strapName(connection.name)
                : isElsewhere ? "No strap" : "No strap paired";
        setText(strap, text);
        setAttribute(strap, "title", text);
        setAttribute(value, "class", isUp ? "" : "quiet");
        setText(value, stripValue(connection, hindrance, isUp, isQuiet));
    };
    return { node, draw };
}

function stripValue(connection, hindrance, isUp, isQuiet) {
    if (hindrance || !connection.device) return "";
    if (!isUp && isQuiet) return "Not connected";
    if (!isUp) return connection.activity === "reconnecting" ? "Reconnecting" : "Connecting";
    if (connection.withoutContact) return "No contact";
    if (connection.silent || connection.bpm == null) return "No value";
    return `${connection.bpm} BPM`;
}

/** In place of tier 2 while no strap is paired. */
function pairTierOf(store, speaker, change) {
    const list = el("ul.rows");
    const heard = el("span", { role: "status" });
    const said = saidLine();
    const goalName = el("strong");
    const goalIcon = el("span");
    const body = el("div.sheet-body",
        el("div.pair", el("h2", "Pair a strap"), el("p.quiet", sentences.pairHint), list, said,
            el("p.note.listening", icon("scan", "i-s"), heard)),
        el("div.goal-line", goalIcon, el("p", "Goal ", goalName),
            button("plain", change, "Change")));
    let drawn = "";
    async function pair(strap) {
        const answer = await attempt(said, () =>
            store.command("pair", { address: strap.address }));
        if (answer) speaker.answer(sentences.paired(strapName(strap.name)));
    }
    const draw = (scene) => {
        setText(goalName, goalText({ kind: choice.kind, target: target() }));
        const straps = steady(scene.straps).filter((one) => one.roles?.includes("heart") ?? true);
        setText(heard, scene.pairing ? sentences.pairing(strapName(scene.pairing.name))
            : sentences.listening(straps.length));
        const now = JSON.stringify([straps, choice.kind, scene.pairing]);
        if (now === drawn) return;
        drawn = now;
        replace(goalIcon, icon(goalIcons[choice.kind]));
        redraw(list, () => replace(list, straps.map((strap, index) => strapRow(strap,
            pairButton(strap, scene.pairing, () => pair(strap), index === 0 ? "primary" : "")))));
    };
    return { body, draw };
}

/** In place of tier 2 while a walk is open that nobody records. */
function openTierOf() {
    const heading = el("h2");
    const list = el("dl.figures");
    const body = el("div.sheet-body",
        el("section.still-open", icon("history"), heading,
            el("p.quiet", sentences.leftOpen), list));
    const draw = (session) => {
        setText(heading, sentences.stillOpen(openSince(session)));
        const { steps, distance } = measuresOf(session);
        const now = JSON.stringify([session.position, steps, distance, session.activeMilliseconds]);
        if (list.dataset.of === now) return;
        list.dataset.of = now;
        replace(list,
            figure("Active", "time", "c-time", duration(session.activeMilliseconds)),
            figure("Distance", "distance", "c-distance", kilometres(distance), "km"),
            figure("Steps", "steps", "c-today", count(steps)));
    };
    return { body, draw };
}

function drawTrouble(node, scene, hindrance, isElsewhere) {
    const said = isElsewhere ? [sentences.elsewhere]
        : [scene.standstill, hindrance?.sentence ?? scene.hindrance].filter(Boolean);
    const command = isElsewhere ? null : hindrance?.command ?? null;
    node.hidden = said.length === 0;
    if (node.hidden || node.dataset.said === said.join(" ")) return;
    node.dataset.said = said.join(" ");
    replace(node, icon("info"), el("p", ...codes(said.join(" ")),
        command ? [el("br"), el("code.mono", command)] : null));
}
