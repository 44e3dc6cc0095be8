// Set-up: what is ready (quiet), the goal (the only loud thing), and settings (closed at first). In
// place of the goal is pairing while no strap is paired, or the walk that was left open.

import { button, el, setAttribute, setText } from "../dom.js";
import { icon } from "../icons.js";
import { Lease } from "../lease.js";
import { TrackMap, drawBlind } from "../map.js";
import {
    attempt, drawTrouble, figure, pairButton, renew, saidLine, steady, strapRow, substituteOf,
} from "../parts.js";
import { sentences } from "../words.js";
import { choice, chosen, goalIcons, goalTierOf } from "./goal.js";
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
            if (store.view) drawBlind(box, store);
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
        this.said = saidLine();
        this.goal = goalTierOf(store.tables, this.said, () => this.draw());
        this.pair = pairTierOf(store, speaker, () => {
            choice.changing = true;
            this.draw();
        });
        this.open = openTierOf();
        this.trouble = el("div.say", { hidden: true, role: "status" });
        this.substitute = substituteOf(store, this.said);
        this.thrownText = el("p");
        this.thrown = el("div.say.told", { hidden: true, role: "status" }, icon("bin"),
            this.thrownText, button("", () => this.#bringBack(), "Bring it back"));
        this.start = button("primary big", () => this.#begin(), "Start");
        this.plain = button("plain", () => this.#second(), "Start without a goal");
        this.node = el("section.sheet", { "aria-label": "Walk set-up" }, this.strip.node,
            this.thrown, this.trouble, this.substitute.node, this.goal.body, this.pair.body,
            this.open.body, el("div.sheet-foot", this.said, this.start, this.plain));
    }

    async #begin() {
        if (this.store.leftOpen !== null) return this.#send("continue");
        if (choice.isMeasured === false) return this.#second();
        // What was typed last is on its way; without it nothing begins that was not wanted.
        this.#busy = true;
        this.draw();
        const isKnown = await this.goal.settled();
        if (isKnown) {
            return this.#send("start", {
                goal: { kind: choice.kind, target: chosen().target }, outAndBack: choice.outAndBack,
            });
        }
        this.#busy = false;
        return this.draw();
    }

    #second() {
        if (this.store.leftOpen !== null) return this.#send("finish");
        return this.#send("start", { goal: { kind: "none" }, outAndBack: false });
    }

    /** What was thrown away is a walk like others again, and shown as such. */
    async #bringBack() {
        const { session } = this.store.thrown;
        const isBack = await attempt(this.said, () =>
            this.store.command("describe", { session, listing: "listed" }));
        if (!isBack) return;
        this.store.thrown = null;
        location.hash = `#/walks/${session}`;
    }

    async #send(command, more) {
        this.#busy = true;
        this.draw();
        await attempt(this.said, () => this.store.command(command, more));
        this.#busy = false;
        // By now the walk may have begun, and this screen be gone.
        this.draw();
    }

    draw() {
        const { view, scene, leftOpen, isElsewhere, thrown } = this.store;
        if (this.isGone || !view) return;
        const isPaired = scene.connection?.device != null || view.strap.counter !== null;
        const { isHindered } = view;
        const shown = leftOpen !== null ? "open"
            : !isPaired && !isHindered && !isElsewhere && !choice.changing ? "none"
                : isHindered ? "off" : "ready";
        document.body.dataset.state = shown;
        // While nobody sets up here, nobody connects either.
        this.strip.draw(view.strap, isElsewhere || leftOpen !== null);
        drawTrouble(this.trouble, isElsewhere ? view.elsewhere ?? sentences.watching
            : [scene.storageProblem, view.trouble].filter(Boolean).join(" "), view.troubleOf);
        this.substitute.draw(view.substitute);
        this.thrown.hidden = thrown === null;
        setText(this.thrownText, thrown?.text);
        this.#turn(shown);
        if (shown === "open") this.open.draw(view.open);
        else this.goal.draw(view);
        if (shown === "none") this.pair.draw(scene, view);
        this.#drawFoot(shown, isPaired && (!isHindered || view.strap.counter !== null));
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
        if (!isOpen && choice.isMeasured === false) setText(this.start, "Start without a goal");
        setText(this.plain, isOpen ? "End it there" : "Start without a goal");
        this.start.disabled = isShut;
        this.plain.disabled = isShut;
        this.plain.hidden = shown === "none" || isElsewhere
            || !isOpen && choice.isMeasured === false;
    }
}

/** Tier 1: position and strap; both lead to Devices. */
function stripOf() {
    const gps = el("span");
    const gpsIcon = icon("gps");
    const heart = el("a", { href: "#/devices" });
    const node = el("div.strip", { role: "group", "aria-label": "Ready to record" },
        el("a", { href: "#/devices" }, gpsIcon, gps), heart);
    const strap = el("span.cut");
    const value = el("b");
    const draw = (shown, isQuiet) => {
        setText(gps, shown.gps);
        setAttribute(gpsIcon.firstChild, "href", shown.isByPhone ? "#i-phone"
            : shown.isGPSLacking ? "#i-nogps" : "#i-gps");
        renew(heart, [shown.isUp, shown.counter], () => [icon(shown.counter ?? "heart",
            shown.counter ? "" : shown.isUp ? "i-fill beat" : "wait"), strap, value]);
        setText(strap, shown.name);
        setAttribute(strap, "title", shown.name);
        setAttribute(value, "class", shown.isUp ? "" : "quiet");
        setText(value, isQuiet && !shown.isUp && shown.value !== "" ? "Not connected"
            : shown.value);
    };
    return { node, draw };
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
    async function pair(strap) {
        const answer = await attempt(said, () =>
            store.command("pair", { address: strap.address }));
        if (answer) speaker.answer(sentences.paired);
    }
    const draw = (scene, view) => {
        setText(goalName, chosen().text);
        const straps = steady(view.straps).filter(({ isStrap }) => isStrap);
        setText(heard, view.listeningForStraps);
        renew(goalIcon, choice.kind, (kind) => icon(goalIcons[kind]));
        renew(list, [straps, scene.pairing], () => straps.map((strap, index) => strapRow(strap,
            pairButton(strap, scene.pairing, () => pair(strap), index === 0 ? "primary" : ""))));
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
    const draw = ({ title: since, figures }) => {
        setText(heading, since);
        renew(list, figures, () => figures.map((one) => figure(one)));
    };
    return { body, draw };
}
