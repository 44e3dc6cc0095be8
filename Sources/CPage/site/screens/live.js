// Live: the map behind all, the heart card, and the panel with what is not shown elsewhere.

import { ring } from "../bell.js";
import { button, el, limitBytes, replace, setAttribute, setText, svg, unseen } from "../dom.js";
import { icon } from "../icons.js";
import { TrackMap, drawBlind } from "../map.js";
import { askInPlace, attempt, drawTrouble, pictureOf, saidLine, substituteOf } from "../parts.js";
import { settings } from "../settings.js";
import { LargeFigures } from "./large.js";
import { Pulse } from "./pulse.js";
import { Wake } from "../wake.js";

export const name = "live";
export const title = "Walking";
export const isStage = true;

/** The heart card when no state has come for too long. */
const stale = {
    state: "off", isHeld: false, isBeyond: false, value: "–", beatMilliseconds: null, zone: 0,
    text: "No value",
};

export function mount(main, { store, speaker }) {
    const panel = new Panel(store, speaker);
    const pulse = new Pulse();
    const back = el("a", {
        class: "back glass", href: "#/day", "aria-label": "Back to the pages; recording goes on",
    }, icon("left"));
    const box = el("div.map");
    const large = new LargeFigures(panel, [panel.node, pulse.node, back, box]);
    main.append(el("h1.vh", "Walk in progress"), panel.node, pulse.node, back, box, large.node);
    const map = new TrackMap(box, {
        label: "Your track so far", follow: true, labelTop: 18, padding: () => freeOf(panel, box),
        tool: { name: "Large figures", picture: "large", act: () => large.open() },
    });
    if (settings.largeFigures) large.open();
    const measure = new ResizeObserver(() => {
        const height = Math.round(panel.node.getBoundingClientRect().height);
        main.style.setProperty("--panel", `${height}px`);
        if (map.following) map.fit();
    });
    measure.observe(panel.node);
    const news = new News(speaker, panel);
    const wake = new Wake();

    function update() {
        const { view, isPaused } = store;
        if (!view?.walk) return;
        document.body.dataset.state = isPaused && !view.walk.standsStill ? "paused" : "running";
        panel.draw(view.walk, isPaused);
        drawTrouble(panel.trouble, view.walk.trouble, view.troubleOf);
        panel.substitute.draw(view.substitute);
        const heart = store.isStale ? { ...view.pulse, ...stale } : view.pulse;
        pulse.draw(heart);
        large.draw(view.walk, heart);
        map.setTrack(store.track, { live: true });
        drawBlind(box, store, store.track);
        map.setMarks(store.marks);
        news.take(view.walk.said, view.pulse);
    }

    return {
        update,
        unmount() {
            measure.disconnect();
            wake.end();
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
    constructor({ key, name }) {
        this.value = el("strong");
        this.unit = el("small");
        this.node = el("li", pictureOf(key, ""),
            el("div", unseen(`${name} `), this.value, this.unit));
    }

    draw({ value, unit }) {
        setText(this.value, value);
        // A walk of a day has numbers that would reach into the next measure.
        setAttribute(this.value, "class", value.length > 6 ? "long" : null);
        setText(this.unit, unit);
    }
}

/** The panel: state and time, the goal, the row, the controls. */
class Panel {
    #keys = "";
    #state = null;
    #wait = 0;

    constructor(store, speaker) {
        this.store = store;
        this.speaker = speaker;
        this.chip = el("span.chip");
        this.time = el("span");
        this.lap = el("span.lapclock", { hidden: true });
        this.clock = el("span.clock", unseen("Active time"), icon("time"), this.time);
        this.hero = el("strong");
        this.of = el("span");
        this.way = wayOf();
        this.stats = el("ul.stats");
        this.zones = el("ul.zone-times", { "aria-label": "Time in zones" });
        this.controls = el("div.controls");
        this.said = saidLine();
        this.news = el("p.news", { hidden: true });
        this.beyond = beyondOf(store, this.said);
        this.mark = new Marking(store, this.said);
        this.trouble = el("div.notice", { hidden: true, role: "status" });
        this.substitute = substituteOf(store, this.said);
        this.aloud = el("div.aloud", this.news, this.beyond.node, this.trouble,
            this.substitute.node);
        this.made = el("p.note");
        this.measures = [];
        this.node = el("section.panel", { "aria-label": "This walk" },
            this.aloud, el("div.top", this.chip, this.lap, this.clock), this.made,
            el("p.hero", this.hero, this.of), this.way.node, this.stats, this.zones,
            this.said, this.mark.node, this.controls);
    }

    draw(walk, isPaused) {
        this.made.hidden = walk.made === null;
        setText(this.made, walk.made);
        this.#drawState(walk, isPaused);
        const keys = walk.measures.map(({ key }) => key).join(" ");
        if (keys !== this.#keys) {
            this.#keys = keys;
            this.measures = walk.measures.map((measure) => new Measure(measure));
            replace(this.stats, this.measures.map(({ node }) => node));
        }
        walk.measures.forEach((measure, index) => this.measures[index].draw(measure));
        this.zones.hidden = walk.zones.length === 0;
        replace(this.zones, walk.zones.map(({ value, name: word, zone }) => el("li",
            el("strong", value), el("small", el(`i.dot.z${zone}`), word))));
        this.beyond.draw(walk.alert);
        this.lap.hidden = walk.lap === null;
        setText(this.lap, walk.lap ?? "");
        this.clock.hidden = walk.active === null;
        this.clock.classList.toggle("note", walk.active?.startsWith("since") ?? false);
        setText(this.time, walk.active);
        setText(this.hero, walk.amount);
        setText(this.of, walk.of);
        this.way.draw(walk.way);
    }

    #drawState(walk, isPaused) {
        const state = isPaused ? walk.standsStill ? "still" : "paused" : "running";
        if (state !== this.#state) {
            this.#state = state;
            setAttribute(this.chip, "class", { still: "chip auto", paused: "chip caution",
                running: "chip good" }[state]);
            this.word = el("span");
            replace(this.chip, isPaused ? icon("pause", "i-s") : el("i.rec"), this.word);
            const had = this.controls.contains(document.activeElement);
            replace(this.controls, this.controlsOf(state));
            if (had) this.controls.lastElementChild.focus();
        }
        setText(this.word, walk.word);
    }

    /** What can be done in a state: here, and where large figures stand before all. */
    controlsOf(state) {
        const send = (command, more) =>
            attempt(this.said, () => this.store.command(command, more));
        this.mark.close();
        const pause = (classes) => button(classes, () => send("pause"), icon("pause"), "Pause");
        const resume = (words) =>
            button("primary big", () => send("resume"), icon("play"), words);
        setAttribute(this.controls, "class",
            state === "running" ? "controls marking" : "controls");
        if (state === "still") return [pause("big"), resume("Go on now")];
        if (state === "running") {
            return [...this.mark.buttons,
                button("big", () => send("lap"), icon("lap"), "Lap"), pause("primary big")];
        }
        return [button("big", () => askInPlace(this.controls, "Finish this walk?", "Finish",
            "Keep walking", () => send("finish"), "primary"), icon("stop"), "Finish"),
            resume("Resume")];
    }

    /** Says what has happened, above all else, for as long as somebody needs to read it. */
    tell(sentence) {
        clearTimeout(this.#wait);
        this.news.hidden = false;
        setText(this.news, sentence);
        this.#wait = setTimeout(() => { this.news.hidden = true; }, newsMilliseconds);
    }
}

/** That the heart rate is beyond a limit, for as long as it is, and what makes that silent. */
function beyondOf(store, said) {
    const text = el("strong");
    const quiet = (words, more) =>
        button("", () => attempt(said, () => store.command("quiet", more)), words);
    const node = el("div.beyond", { role: "group", "aria-label": "Alert", hidden: true },
        icon("bell"), el("p", text, " You asked to be told."),
        el("div.acts", quiet("Stop telling me"), quiet("Quiet for 5 min", { minutes: 5 })));
    const draw = (sentence) => {
        node.hidden = sentence === null;
        setText(text, sentence ?? "");
    };
    return { node, draw };
}

/** Mark marks at once; the button next to it opens a line for a text that is optional. */
class Marking {
    #wait = 0;

    constructor(store, said) {
        this.store = store;
        this.said = said;
        this.field = el("input", {
            type: "text", "aria-label": "Text of the mark",
            placeholder: "What is here", autocomplete: "off", enterkeyhint: "done",
        });
        limitBytes(this.field, store.tables.longestBytes.mark);
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
        }, icon("flagtext"));
        const mark = button("big", () => this.#mark(), icon("flag"));
        mark.setAttribute("aria-label", "Mark");
        this.buttons = [mark, this.toggle];
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
        const { sentence } = answer;
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
    const draw = (way) => {
        node.hidden = !way;
        if (!way) return;
        setAttribute(done, "x2", way.permille === 0 ? 4 : `${.099 * way.permille}%`);
        setAttribute(done, "class", way.permille === 0 ? "rail" : "done");
        setAttribute(notch, "class", way.outAndBack ? "notch" : "notch away");
        setText(turned, way.turn);
        setText(left, way.left);
    };
    return { node, draw };
}

const zoneMilliseconds = 10_000;
const newsMilliseconds = 20_000;

/** What is said aloud: a sentence that is another one than before, rarely. */
class News {
    #before = null;
    #zone = "";
    #zoneSince = 0;
    #saidZone = "";

    constructor(speaker, panel) {
        this.speaker = speaker;
        this.panel = panel;
    }

    take(said, pulse) {
        const before = this.#before;
        this.#before = said;
        this.#takeZone(pulse.said ?? "");
        if (before === null) return;
        const isNew = (key) => said[key] !== null && said[key] !== before[key];
        const news = [];
        if (said.alerts > before.alerts) news.push(this.#hear(said));
        // Once it is reached, only its words can change.
        for (const key of ["goal", "turn"]) {
            if (before[key] === null && isNew(key)) news.push(said[key]);
        }
        for (const key of ["lap", "pause"]) if (isNew(key)) news.push(said[key]);
        if (isNew("lap")) this.panel.tell(said.lap);
        if (news.length > 0) this.speaker.answer([...new Set(news)].join(" "));
        else if (isNew("link")) this.speaker.say(said.link);
    }

    /** A heart rate beyond its limits, the goal and the turn: nobody looks at the screen. */
    #hear({ alert: sentence, goal, turn }) {
        const isOfGoal = sentence === goal || sentence === turn;
        if (!isOfGoal || settings.hearsGoal) ring();
        // What the heart rate is beyond is shown for as long as it is.
        if (isOfGoal) this.panel.tell(sentence);
        return sentence;
    }

    #takeZone(zone) {
        const now = performance.now();
        if (zone !== this.#zone) {
            this.#zone = zone;
            this.#zoneSince = now;
        }
        if (zone === "" || zone === this.#saidZone || now - this.#zoneSince < zoneMilliseconds) {
            return;
        }
        const isFirst = this.#saidZone === "";
        this.#saidZone = zone;
        if (!isFirst) this.speaker.say(zone);
    }
}
