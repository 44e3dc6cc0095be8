// Live: the map behind all, the heart card, and the panel with what is not shown elsewhere.

import { button, el, replace, setAttribute, setText, svg, unseen } from "../dom.js";
import { icon } from "../icons.js";
import { TrackMap } from "../map.js";
import { placesOf } from "../marks.js";
import { askInPlace, attempt, saidLine } from "../parts.js";
import { Pulse } from "./pulse.js";
import {
    amounts, amountText, count, duration, goalOf, kilocalories, kilometres, measuresOf, ofGoal,
    sentences, toGo, turnText, zoneOf, zonesOf,
} from "../words.js";

export const name = "live";
export const title = "Walking";
export const isStage = true;

export function mount(main, { store, speaker }) {
    const panel = new Panel(store, speaker);
    const pulse = new Pulse();
    const back = el("a", {
        class: "back glass", href: "#/day", "aria-label": "Back to the pages; recording goes on",
    }, icon("left"));
    const box = el("div.map");
    const blind = el("p.no-gps.chip", icon("gps", "i-s"), "No GPS");
    main.append(el("h1.vh", "Walk in progress"), panel.node, pulse.node, back, blind, box);
    const map = new TrackMap(box, {
        label: "Your track so far", follow: true, labelTop: 18, padding: () => freeOf(panel, box),
    });
    const measure = new ResizeObserver(() => {
        const height = Math.round(panel.node.getBoundingClientRect().height);
        main.style.setProperty("--panel", `${height}px`);
        if (map.following) map.fit();
    });
    measure.observe(panel.node);
    const news = new News(speaker);

    function update() {
        const { scene } = store;
        const session = scene.session;
        if (!session) return;
        const isPaused = store.isPaused;
        document.body.dataset.state = isPaused ? "paused" : "running";
        panel.draw(scene, session, isPaused);
        const connection = scene.connection ?? {};
        pulse.draw(store.isStale ? { ...connection, status: "connected", bpm: null } : connection,
            isPaused, zonesOf(session));
        map.setTrack(store.track, { live: true });
        blind.hidden = store.track.length > 0 || (scene.gps?.quality ?? "none") !== "none";
        map.setMarks(placesOf(store.marks, store.track));
        news.take(scene, session, isPaused);
    }

    return {
        update,
        unmount() {
            measure.disconnect();
            main.style.removeProperty("--panel");
            map.destroy();
        },
    };
}

/** The part of the map that nothing covers: left, top, right, bottom. */
function freeOf(panel, box) {
    const whole = box.getBoundingClientRect();
    const sheet = panel.node.getBoundingClientRect();
    if (sheet.width < whole.width - 100) return [sheet.right - whole.left + 48, 60, 220, 60];
    return [44, 110, 64, whole.bottom - sheet.top + 40];
}

/** A measure of the row: a coloured icon at the left, the value, its unit. */
class Measure {
    constructor(label, iconName, iconClass) {
        this.value = el("strong");
        this.unit = el("small");
        this.node = el("li", icon(iconName, iconClass),
            el("div", unseen(`${label} `), this.value, this.unit));
    }

    draw(value, unit) {
        setText(this.value, value);
        // A walk of a day has numbers that would reach into the next measure.
        setAttribute(this.value, "class", value.length > 6 ? "long" : null);
        setText(this.unit, unit);
    }
}

const rows = {
    steps: ["distance", "energy", "today"],
    none: ["distance", "energy", "today"],
    distance: ["steps", "energy", "today"],
    duration: ["steps", "distance", "today"],
};

/** The panel: state and time, the goal, the row, the controls. */
class Panel {
    #kind = null;
    #isPaused = null;

    constructor(store, speaker) {
        this.store = store;
        this.speaker = speaker;
        this.chip = el("span.chip");
        this.time = el("span");
        this.clock = el("span.clock", unseen("Active time"), icon("time"), this.time);
        this.hero = el("strong");
        this.of = el("span");
        this.way = wayOf();
        this.stats = el("ul.stats");
        this.controls = el("div.controls");
        this.said = saidLine();
        this.mark = new Marking(store, this.said);
        this.trouble = saidLine();
        this.made = el("p.note", sentences.simulated);
        this.measures = {
            distance: new Measure("Distance", "distance", "c-distance"),
            energy: new Measure("Energy", "energy", "c-energy"),
            today: new Measure("Today", "today", "c-today"),
            steps: new Measure("Steps", "steps", "c-today"),
        };
        this.node = el("section.panel", { "aria-label": "This walk" },
            el("div.top", this.chip, this.clock), this.made, el("p.hero", this.hero, this.of),
            this.way.node, this.stats, this.trouble, this.said, this.mark.node, this.controls);
    }

    draw(scene, session, isPaused) {
        const goal = goalOf(session);
        this.made.hidden = !session.simulated;
        this.#drawState(scene, session, isPaused);
        setText(this.trouble,
            [scene.standstill, scene.hindrance].filter(Boolean).join(" "));
        if (goal.kind !== this.#kind) {
            this.#kind = goal.kind;
            const keys = rows[goal.kind] ?? rows.none;
            replace(this.stats, keys.map((key) => this.measures[key].node));
        }
        // With a goal in time the big number is the time: it is not shown twice.
        this.clock.hidden = goal.kind === "duration";
        setText(this.time, duration(session.activeMilliseconds));
        const amount = amounts(session, goal);
        setText(this.hero, amountText(goal.kind, amount));
        setText(this.of, ofGoal(goal));
        this.way.draw(goal, amount, goal.outAndBack === true);
        const { steps, distance, energy } = measuresOf(session);
        this.measures.distance.draw(kilometres(distance), "km");
        this.measures.energy.draw(kilocalories(energy), "kcal");
        this.measures.steps.draw(count(steps), "steps");
        const { today, dailyGoal } = scene.steps ?? {};
        this.measures.today.draw(count(today),
            dailyGoal ? `of ${count(dailyGoal)} today` : "today");
    }

    #drawState(scene, session, isPaused) {
        if (isPaused !== this.#isPaused) {
            this.#isPaused = isPaused;
            setAttribute(this.chip, "class", isPaused ? "chip caution" : "chip good");
            this.word = el("span");
            replace(this.chip, isPaused ? icon("pause", "i-s") : el("i.rec"), this.word);
            this.#drawControls(isPaused);
        }
        setText(this.word, isPaused
            ? `Paused for ${duration(session.pauseMilliseconds ?? 0)}`
            : { starting: "Starting", ending: "Finishing" }[scene.phase]
                ?? (session.simulated ? "Simulated" : "Recording"));
    }

    #drawControls(isPaused) {
        const had = this.controls.contains(document.activeElement);
        const send = (command, more) =>
            attempt(this.said, () => this.store.command(command, more));
        this.mark.close();
        const left = isPaused
            ? [button("big", () => askInPlace(this.controls, "Finish this walk?", "Finish",
                "Keep on", () => send("end"), "primary"), icon("stop"), "Finish")]
            : this.mark.buttons;
        const right = isPaused
            ? button("primary big", () => send("resume"), icon("play"), "Resume")
            : button("primary big", () => send("pause"), icon("pause"), "Pause");
        setAttribute(this.controls, "class", isPaused ? "controls" : "controls marking");
        replace(this.controls, left, right);
        if (had) right.focus();
    }
}

/** Mark marks at once; the button beside it opens a line for a text that is optional. */
class Marking {
    #wait = 0;

    constructor(store, said) {
        this.store = store;
        this.said = said;
        this.field = el("input", {
            type: "text", maxlength: 200, "aria-label": "Text of the mark",
            placeholder: "What is here", autocomplete: "off", enterkeyhint: "done",
        });
        this.node = el("form.mark-line", {
            hidden: true,
            onsubmit: (event) => {
                event.preventDefault();
                this.#mark();
            },
            onkeydown: (event) => {
                if (event.key === "Escape") this.close(true);
            },
        }, this.field);
        this.toggle = el("button.btn.text-on", {
            type: "button", "aria-label": "Mark with a text", "aria-expanded": "false",
            onclick: () => (this.node.hidden ? this.#open() : this.close(true)),
        }, icon("text"));
        this.buttons = [button("big", () => this.#mark(), icon("flag"), "Mark"), this.toggle];
    }

    #open() {
        this.node.hidden = false;
        this.toggle.setAttribute("aria-expanded", "true");
        this.field.focus();
    }

    close(isAsked = false) {
        const had = this.node.contains(document.activeElement);
        this.node.hidden = true;
        this.toggle.setAttribute("aria-expanded", "false");
        if (had && isAsked) this.toggle.focus();
    }

    async #mark() {
        const text = this.field.value.trim();
        const answer = await attempt(this.said, () => this.store.command("mark", { text }));
        if (!answer) return;
        this.field.value = "";
        this.close(true);
        const sentence = text === "" ? sentences.marked : sentences.markedWith(text);
        setText(this.said, sentence);
        clearTimeout(this.#wait);
        this.#wait = setTimeout(() => {
            if (this.said.textContent === sentence) setText(this.said, "");
        }, 3_000);
    }
}

/** The progress line with the notch of an out-and-back walk at half. */
function wayOf() {
    const line = (className, more) => svg("line", { class: className, x1: 4, y1: 11, y2: 11,
        ...more });
    const done = line("done", { x2: 4 });
    const notch = svg("line", { class: "notch", x1: "50%", y1: 6, x2: "50%", y2: 16 });
    const turned = el("span");
    const left = el("span");
    const node = el("div.way",
        svg("svg", { "aria-hidden": "true" }, line("rail", { x2: "99%" }), done, notch),
        el("p.note", turned, left));
    const draw = (goal, amount, outAndBack) => {
        node.hidden = goal.kind === "none" || !goal.target;
        if (node.hidden) return;
        const share = Math.max(0, Math.min(1, amount / goal.target));
        setAttribute(done, "x2", share === 0 ? 4 : `${(99 * share).toFixed(1)}%`);
        setAttribute(done, "class", share === 0 ? "rail" : "done");
        setAttribute(notch, "class", outAndBack ? "notch" : "notch away");
        setText(turned, outAndBack ? turnText(goal, amount) : "");
        setText(left, toGo(goal, amount));
    };
    return { node, draw };
}

const zoneMilliseconds = 10_000;

/** What is said aloud: rarely, and what a walker would want to know without looking. */
class News {
    #before = null;
    #zone = 0;
    #zoneSince = 0;
    #saidZone = 0;

    constructor(speaker) {
        this.speaker = speaker;
    }

    take(scene, session, isPaused) {
        const { connection } = scene;
        const goal = goalOf(session);
        const now = {
            isPaused,
            isLost: connection?.device != null && connection.status === "disconnected",
            isReached: goal.reached === true,
            isTurned: goal.outAndBack === true
                && goal.turnAroundReached === true,
        };
        const before = this.#before;
        this.#before = now;
        this.#takeZone(isPaused ? null : connection?.bpm, zonesOf(session));
        if (before === null) return;
        if (now.isPaused !== before.isPaused) {
            this.speaker.answer(now.isPaused ? sentences.paused : sentences.resumed);
        } else if (now.isReached && !before.isReached) this.speaker.say(sentences.reached);
        else if (now.isTurned && !before.isTurned) this.speaker.say(sentences.turn);
        else if (now.isLost !== before.isLost) {
            this.speaker.say(now.isLost ? sentences.lost : sentences.back);
        }
    }

    #takeZone(bpm, zones) {
        const zone = zoneOf(bpm, zones);
        const now = performance.now();
        if (zone !== this.#zone) {
            this.#zone = zone;
            this.#zoneSince = now;
        }
        if (zone === 0 || zone === this.#saidZone || now - this.#zoneSince < zoneMilliseconds) {
            return;
        }
        const isFirst = this.#saidZone === 0;
        this.#saidZone = zone;
        if (!isFirst) this.speaker.say(sentences.zone(zones[zone - 1].name));
    }
}
