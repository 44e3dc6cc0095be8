// Live: the map behind all, the heart card, and the panel with what is not shown elsewhere.

import { ring } from "../bell.js";
import { button, el, limitBytes, replace, setAttribute, setText, svg, unseen } from "../dom.js";
import { icon } from "../icons.js";
import { TrackMap, drawBlind } from "../map.js";
import { attempt, drawTrouble, pictureOf, renew, saidLine, substituteOf } from "../parts.js";
import { settings } from "../settings.js";
import { LargeFigures } from "./large.js";
import { Pulse, stale } from "./pulse.js";
import { Wake } from "../wake.js";

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
    const large = new LargeFigures(panel, [panel.node, pulse.node, back, box]);
    main.append(el("h1.vh", "Walk in progress"), panel.node, pulse.node, back, box, large.node);
    const map = new TrackMap(box, {
        label: "Your track so far", follow: true, labelTop: 18,
        padding: () => freeOf(panel, pulse, box),
        tool: { name: "Large figures", picture: "large", act: () => large.open() },
    });
    if (settings.largeFigures) large.open();
    const measure = new ResizeObserver(() => {
        const height = Math.round(panel.node.getBoundingClientRect().height);
        main.style.setProperty("--panel", `${height}px`);
        map.follow();
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
        news.take(view.walk.said, heart);
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

/** What nothing covers of the map, with room around a place: left, top, right, bottom. */
function freeOf(panel, pulse, box) {
    const whole = box.getBoundingClientRect();
    const sheet = panel.node.getBoundingClientRect();
    const card = pulse.node.getBoundingClientRect();
    const tools = box.querySelector(".map-tools").getBoundingClientRect();
    if (sheet.width < whole.width - 100) {
        return [sheet.right - whole.left + 48, 60, whole.right - card.left + 36, 60];
    }
    const top = Math.max(card.bottom - whole.top, 60) + 32;
    const told = panel.aloud.getBoundingClientRect();
    const middle = (whole.top + top + sheet.top - 32) / 2;
    const bottom = told.height > 0 && told.top < middle + 32 ? told.top : sheet.top;
    // On a short phone the tools stand beside the way back, above what is free.
    const right = tools.bottom < card.bottom ? 44 : whole.right - tools.left + 44;
    return [44, top, right, whole.bottom - bottom + 32];
}

/** A measure of the row: a coloured icon at the left, the value, its unit. */
const measureOf = ({ picture, name, value, unit }) => el("li", pictureOf(picture),
    // A walk of a day has numbers that would reach into the next measure.
    el("div", unseen(`${name} `), el("strong", { class: value.length > 6 ? "long" : null }, value),
        el("small", unit)));

/** The panel: state and time, the goal, the row, the controls. */
class Panel {
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
        this.way = el("div.way");
        this.stats = el("ul.stats");
        this.controls = el("div.controls");
        this.said = saidLine();
        this.news = el("div.news", { hidden: true });
        this.beyond = beyondOf(store, this.said);
        this.mark = new Marking(store, this);
        this.trouble = el("div.notice", { hidden: true, role: "status" });
        this.substitute = substituteOf(store, this.said);
        this.aloud = el("div.aloud", this.said, this.news, this.mark.node, this.beyond.node,
            this.trouble, this.substitute.node);
        this.made = el("p.note");
        this.node = el("section.panel", { "aria-label": "This walk" },
            this.aloud, el("div.top", this.chip, this.lap, this.clock), this.made,
            el("p.hero", this.hero, this.of), this.way, this.stats, this.controls);
    }

    draw(walk, isPaused) {
        this.walk = walk;
        this.made.hidden = walk.made === null;
        setText(this.made, walk.made);
        this.#drawState(walk, isPaused);
        renew(this.stats, walk.measures, (measures) => measures.map(measureOf));
        this.beyond.draw(walk.alert);
        this.lap.hidden = walk.lap === null;
        setText(this.lap, walk.lap ?? "");
        this.clock.hidden = walk.active === null;
        this.clock.classList.toggle("note", walk.active?.startsWith("since") ?? false);
        setText(this.time, walk.active);
        setText(this.hero, walk.amount);
        setText(this.of, walk.of);
        this.way.hidden = !walk.way;
        if (walk.way) renew(this.way, walk.way, wayOf);
    }

    #drawState(walk, isPaused) {
        const state = isPaused ? walk.standsStill ? "still" : "paused" : "running";
        if (state !== this.#state) {
            this.#state = state;
            setAttribute(this.chip, "class", { still: "chip auto", paused: "chip caution",
                running: "chip good" }[state]);
            const had = this.controls.contains(document.activeElement);
            replace(this.controls, this.controlsOf(state));
            if (had) this.controls.lastElementChild.focus();
        }
        renew(this.chip, [state, walk.word], () =>
            [isPaused ? icon("pause", "i-s") : el("i.rec"), el("span", walk.word)]);
    }

    /** What can be done in a state: here, and where large figures stand before all. */
    controlsOf(state) {
        const send = (command, more) =>
            attempt(this.said, () => this.store.command(command, more));
        this.mark.close();
        const pause = (classes) => button(classes, () => send("pause"), icon("pause"), "Pause");
        const resume = (words, classes = "primary big") =>
            button(classes, () => send("resume"), icon("play"), words);
        setAttribute(this.controls, "class",
            state === "running" ? "controls marking" : "controls");
        if (state === "still") return [pause("big"), resume("Go on now")];
        if (state === "running") {
            return [this.mark.button,
                button("big", () => send("lap"), icon("lap"), "Lap"), pause("primary big")];
        }
        if (state === "asking") return [this.#question(send, resume("Resume", "big"))];
        const ask = () => {
            replace(this.controls, this.controlsOf("asking"));
            this.controls.querySelector(".acts .btn").focus();
        };
        return [button("big", ask, icon("stop"), "Finish"), resume("Resume")];
    }

    /** Asks once, in the place of figures and buttons; what was hardly meant is thrown away. */
    #question(send, resume) {
        const isFalse = this.walk.isFalseStart && this.store.tables.right === "all";
        const finish = (words, classes) =>
            button(classes, () => send("finish"), icon("stop"), words);
        const discard = (classes) => el("button", { class: `btn ${classes}`, type: "button",
            "data-edit": true, onclick: () => attempt(this.said, () =>
                this.store.throwAway(this.walk.thrown)) }, icon("bin"), "Throw away");
        const question = isFalse ? "A false start?" : "Finish this walk?";
        return el("div.ask", {
            role: "group", "aria-label": question,
            onkeydown: ({ key }) => {
                if (key !== "Escape") return;
                replace(this.controls, this.controlsOf("paused"));
                this.controls.firstElementChild.focus();
            },
        }, el("div.q", el("strong", question),
            isFalse ? finish("Keep it", "plain") : discard("fault")),
        el("div.acts", resume, isFalse ? discard("primary big") : finish("Finish", "primary big")));
    }

    /** Says what has happened, above all else, for as long as somebody needs to read it. */
    tell(sentence, picture, more = null) {
        clearTimeout(this.#wait);
        this.news.hidden = false;
        replace(this.news, icon(picture), el("p", el("strong", sentence)), more);
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

/** Mark marks at once; what it says then leads to a line for a word. */
class Marking {
    constructor(store, panel) {
        this.store = store;
        this.panel = panel;
        this.field = el("input", {
            type: "text", "aria-label": "Word of the mark",
            placeholder: "What is here", autocomplete: "off", enterkeyhint: "done",
        });
        limitBytes(this.field, store.tables.longestBytes.mark);
        this.told = el("strong");
        this.node = el("form.mark-line", {
            hidden: true,
            onsubmit: (event) => {
                event.preventDefault();
                if (this.field.value.trim() !== "") this.#mark();
            },
            onkeydown: (event) => {
                if (event.key === "Escape") this.#cancel();
            },
        }, this.told, this.field, el("div.acts", el("button.btn.primary", "Save"),
            button("", () => this.#cancel(), "Cancel")));
        this.button = button("big", () => this.#mark(), icon("flag"));
        this.button.setAttribute("aria-label", "Mark");
    }

    #open(sentence) {
        setText(this.told, sentence);
        this.panel.news.hidden = true;
        this.node.hidden = false;
        this.field.focus();
    }

    close() {
        const had = this.node.contains(document.activeElement);
        this.node.hidden = true;
        if (had) this.button.focus();
    }

    /** What was not saved is no mark's word. */
    #cancel() {
        this.field.value = "";
        this.close();
    }

    async #mark() {
        const text = this.field.value.trim();
        const answer = await attempt(this.panel.said, () => this.store.command("mark", { text }));
        if (!answer) return;
        this.field.value = "";
        this.close();
        const { sentence } = answer;
        this.panel.tell(sentence, text === "" ? "flag" : "flagtext", text !== "" ? null
            : button("plain", () => this.#open(sentence), icon("flagtext"), "Add a word"));
        this.panel.speaker.answer(sentence);
    }
}

/** The progress line, with a notch at half where the walk turns there, and what it says. */
function wayOf({ permille, outAndBack, turn, left }) {
    const line = (className, x2) =>
        svg("line", { class: className, x1: 4, y1: 11, x2, y2: 11 });
    return [
        svg("svg", { "aria-hidden": "true" }, line("rail", "99%"),
            permille > 0 && line("done", `${.099 * permille}%`),
            outAndBack && svg("line", { class: "notch", x1: "50%", y1: 6, x2: "50%", y2: 16 })),
        el("p.note", el("span", turn), el("span", left)),
    ];
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
        if (isNew("lap")) this.panel.tell(said.lap, "lap");
        if (news.length > 0) this.speaker.answer([...new Set(news)].join(" "));
        if (isNew("link")) this.speaker.say(said.link);
    }

    /** A heart rate beyond its limits, the goal and the turn: nobody looks at the screen. */
    #hear({ alert: sentence, goal, turn }) {
        const isOfGoal = sentence === goal || sentence === turn;
        if (!isOfGoal || settings.hearsGoal) ring();
        // What the heart rate is beyond is shown for as long as it is.
        if (isOfGoal) this.panel.tell(sentence, "check");
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
        if (!isFirst) this.speaker.say(zone, () => zone === this.#zone);
    }
}
