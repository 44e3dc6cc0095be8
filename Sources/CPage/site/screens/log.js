// Log: the slider through time. An event, its bytes, and what was known as of then.

import { api } from "../api.js";
import { button, el, replace, setAttribute, setText, svg } from "../dom.js";
import { icon } from "../icons.js";
import { attempt, codes, figure, head, keySteps, saidLine } from "../parts.js";
import { sentences } from "../words.js";

export const name = "log";
export const title = "Log";
export const isStage = false;

const settleMilliseconds = 120;
const dayMilliseconds = 86_400_000;
const compareWords = "What changed between two positions";

/** A slider through a time, with bars above it: the higher one, the more events came in it. */
class Axis {
    #bars = [];

    constructor(label, handlers) {
        this.slide = el("input.slide", { type: "range", min: 0, max: 0, "aria-label": label,
            ...handlers });
        this.name = el("b");
        this.note = el("span");
        this.density = svg("svg", { class: "density", preserveAspectRatio: "none",
            "aria-hidden": "true" });
        this.hours = el("div.hours", { "aria-hidden": "true" });
        this.nodes = [el("p.axis-head", this.name, this.note), this.density, this.slide,
            this.hours];
    }

    draw({ from, until, labels, density, name: of, note }) {
        Object.assign(this.slide, { min: from, max: until });
        setText(this.name, of);
        setText(this.note, density.length > 0 ? note : "");
        this.#bars = density.map((level) => level && Math.max(level, 4)).map((height, index) =>
            svg("rect", { x: `${100 * index / density.length}%`, y: `${100 - height}%`,
                width: `${80 / density.length}%`, height: `${height}%`, rx: 1 }));
        replace(this.density, this.#bars);
        setAttribute(this.density, "hidden", density.length === 0 ? "" : null);
        replace(this.hours, labels.map((label) => el("span", label)));
    }

    /** Shows where a moment is, unless a hand holds the slider, and says it. */
    point(moment, said) {
        if (!this.slide.matches(":active")) this.slide.value = moment;
        const { min, max, value } = this.slide;
        const last = this.#bars.length - 1;
        const bar = Math.min(last, Math.floor((last + 1) * (value - min) / (max - min || 1)));
        this.#bars.forEach((one, index) => setAttribute(one, "class", index === bar ? "in" : null));
        this.slide.setAttribute("aria-valuetext", said);
    }
}

export function mount(main, context) {
    const screen = new Log(main, context);
    screen.begin();
    return { update: () => screen.update(), unmount: () => screen.stop() };
}

class Log {
    #head = null;
    #at = null;
    #known = new Map();
    #wait = 0;
    #abort = null;
    #isBegun = false;
    #isBeginning = false;
    #isGone = false;
    /** What the event and what was known then are compared with, if somebody wants that. */
    #held = null;
    #shown = null;
    #isFollowing = false;

    constructor(main, { store, parameters, refused, settle }) {
        this.store = store;
        this.refused = refused;
        this.settle = settle;
        const asked = Number.parseInt(parameters[0] ?? "", 10);
        this.asked = Number.isSafeInteger(asked) && asked >= 0 ? asked : null;
        this.time = el("strong");
        this.place = el("span.quiet");
        [this.whole, this.day] = ["Time in the log", "Time of the day"].map((label, index) =>
            new Axis(label, { onkeydown: (event) => this.#press(event),
                oninput: () => this.#follow(index === 0 ? this.whole : this.day),
                onpointerup: () => setTimeout(() => this.#rest()) }));
        this.field = el("input", { "aria-label": "Time or position", inputmode: "text" });
        this.compare = button("", () => this.#hold(), compareWords);
        this.shown = "all";
        const choices = [["all", "All"], ["walks", "Walks only"], ["days", "Days and totals"]];
        this.said = saidLine();
        this.state = el("section.card", { "aria-label": "As of then" });
        this.event = el("section.card.event", { "aria-label": "Event" });
        this.list = el("ol");
        this.checked = el("p.note.seal");
        main.append(head("Log", sentences.logLead), this.checked, this.#timeCard(),
            el("div.grid.two", el("div", this.event, this.state, this.compare),
            el("section.card.list", { "aria-label": "Events around it" },
                el("div.card-head", el("h2", "Around it"), el("p.note", "newest first")),
                el("fieldset.pills", el("legend.vh", "Show"), choices.map(([value, text]) =>
                    el("label", el("input", { type: "radio", name: "shown",
                        checked: value === this.shown, onchange: () => {
                            this.shown = value;
                            this.go(this.#at, 0);
                        } }), el("span", text)))),
                this.list)));
    }

    #timeCard() {
        const form = el("form", { onsubmit: (event) => {
            event.preventDefault();
            this.#goTo(api.find(this.field.value.trim(), this.#at));
        } }, el("label", "Go to", this.field), el("button.btn", "Go"),
            el("p.note", "A date, a time or a position."));
        return el("section.card.time", { "aria-label": "Moment" },
            el("div.then", el("p", this.time), this.place,
                button("", () => this.go(this.#head), "Back to now")),
            this.whole.nodes, this.day.nodes,
            el("div.nav",
                this.#step("Event before", -1), this.#step("Next event", 1), form), this.said);
    }

    /** On a narrow screen only the arrow is seen: the name is in a label. */
    #step(label, by) {
        const parts = [icon(by < 0 ? "left" : "right"), el("span", label)];
        return el("button.btn", { type: "button", "aria-label": label,
            onclick: () => this.go(this.#at + by) }, by < 0 ? parts : parts.reverse());
    }

    async begin() {
        this.#isBeginning = true;
        try {
            const { head: last, view } = await api.log();
            if (this.#isGone) return;
            replace(this.checked, icon(view.seal, "i-s"), el("span", ...codes(view.checked)));
            if (last === null) {
                replace(this.list, el("li.note", sentences.emptyLog));
                return;
            }
            this.#isBegun = true;
            if (view.axis) this.whole.draw(view.axis);
            this.#head = last;
            this.go(this.asked ?? last, 0);
        } catch (error) {
            if (this.#isGone) return;
            this.#isGone = true;
            this.refused(error);
        } finally {
            this.#isBeginning = false;
        }
    }

    stop() {
        clearTimeout(this.#wait);
        this.#abort?.abort();
        this.#isGone = true;
    }

    /** The log grows while it is looked at; the moment that is shown stays. */
    update() {
        if (this.#isGone) return;
        if (!this.#isBegun) {
            if (this.store.head !== null && !this.#isBeginning) this.begin();
            return;
        }
        if (this.store.head <= this.#head) return;
        this.#head = this.store.head;
        this.#drawPlace();
    }

    /** Moves to a position; asks when the hand rests. */
    go(position, settle = settleMilliseconds) {
        if (this.#head === null) return;
        this.#at = Math.max(0, Math.min(this.#head, position));
        this.#drawPlace();
        clearTimeout(this.#wait);
        this.#wait = setTimeout(() => this.#load(this.#at), settle);
    }

    /** Goes to the time where a slider is, and on as long as it moves. */
    async #follow({ slide }) {
        if (this.#isFollowing) return;
        this.#isFollowing = true;
        for (let value = null; value !== slide.value;) {
            value = slide.value;
            await this.#goTo(api.moment(value, this.#at));
        }
        this.#isFollowing = false;
    }

    /** An arrow goes to the event before or after, a page a day back or on. */
    #press(event) {
        const by = keySteps[event.key];
        if (!by) return;
        event.preventDefault();
        const step = Math.sign(by);
        if (by === step) this.go(this.#at + by);
        else this.#goTo(
            api.moment(+this.whole.slide.value + step * dayMilliseconds, this.#at), step);
    }

    /** Where a hand lets go, the slider comes to the event that is shown. */
    #rest() {
        if (!this.#isFollowing) this.#drawPlace();
    }

    async #load(position) {
        this.#abort?.abort();
        this.#abort = new AbortController();
        const { signal } = this.#abort;
        await attempt(this.said, async () => {
            const answer = await api.log(position, signal, this.#held?.event.position);
            if (position !== this.#at) return;
            this.settle(position);
            this.day.draw(answer.view.axis);
            this.#known.set(position, answer.view.event);
            this.#draw(answer);
            const { view } = await api.around(position, this.shown, signal);
            for (const row of view) if (!row.isGroup) this.#known.set(row.position, row);
            if (position === this.#at) this.#drawList(position, view);
        });
    }

    /** Goes to what is found; a step leads past a time in which nothing came. */
    async #goTo(asked, step = 0) {
        const found = await attempt(this.said, () => asked);
        if (!found || this.#isGone) return;
        this.go(found.position === this.#at ? this.#at + step : found.position, 0);
    }

    #drawPlace() {
        if (this.#at === null) return;
        const event = this.#known.get(this.#at);
        const all = this.store.head === this.#head ? this.store.view?.head : null;
        const of = `position ${event?.number ?? this.#at} of ${all ?? this.#head}`;
        setText(this.place, event ? `${event.date}, ${of}` : of);
        if (!event) return;
        const [clock, fraction] = event.time.split(".");
        replace(this.time, clock, el("small", ".", fraction));
        this.field.placeholder = clock;
        if (event.moment > this.whole.slide.max) this.whole.slide.max = event.moment;
        for (const axis of [this.whole, this.day]) {
            axis.point(event.moment, `${event.date}, ${event.time}, ${of}`);
        }
    }

    #draw(answer) {
        this.#drawPlace();
        this.#shown = answer;
        this.#drawState(answer);
        if (this.#held) this.#drawChanges(this.#held, answer);
        else this.#drawEvent(answer);
    }

    /** Holds what is shown against what the slider comes to, or no longer. */
    #hold() {
        if (!this.#shown) return;
        this.#held = this.#held ? null : this.#shown;
        setText(this.compare, this.#held ? "Back to the event" : compareWords);
        this.#draw(this.#shown);
    }

    #drawChanges(...answers) {
        const head = ({ view: { event: { time, date } } }) =>
            el("th", { scope: "col" }, time.split(".")[0], el("small", date));
        const [before, after] = answers.map(({ view: { figures, strap } }) =>
            [...figures, { name: "Strap", value: strap, unit: "" }]);
        replace(this.event,
            el("div.card-head", el("h2", "What changed"), el("p.note", sentences.comparing)),
            el("table.table", el("thead", el("tr", el("th", el("span.vh", "What")),
                answers.map(head))),
            el("tbody", before.map(({ name: what, value, unit }, index) => {
                const { value: now, unit: of } = after[index];
                const isSame = now === value && of === unit;
                return el("tr", { class: isSame ? "same" : "" }, el("td", what),
                    el("td", value, unit ? " " : null, unit),
                    el("td", isSame ? "the same" : now, of && !isSame ? " " : null,
                        isSame ? null : of));
            }))), el("p.quiet", answers[1].view.between ?? ""));
    }

    #drawState({ view: { note, figures, strap } }) {
        replace(this.state,
            el("div.card-head", el("h2", "As of then"), el("p.note", note)),
            el("dl.figures.asof", figures.map((one) => figure(one))),
            el("p.proof", icon("strap", "i-s"), el("span.cut", strap)));
    }

    #drawEvent({ event, session, view: { event: shown } }) {
        const [first, second] = shown.source.length > 1 ? shown.source : [null, shown.source[0]];
        replace(this.event,
            el("div.card-head", el("h2", "This event"),
                el("span", { class: `chip ${shown.isOdd ? "caution" : ""}` }, shown.sort)),
            el("p.say", shown.sentence),
            el("p.note.where", first ? el("span", first) : null,
                second ? el("span.mono", second) : null),
            el("p.links", session ? el("a", { href: `#/walks/${session.position}` }, "The walk")
                : null, el("a", { href: `#/day/${shown.day}` }, "The day")),
            shown.bytes.length === 0 ? null : el("ul.bytes", { "aria-label": "Raw bytes" },
                shown.bytes.map(({ hex, kind, before, strong, after }) =>
                    el("li", { class: kind }, el("code", hex),
                        el("small", before, strong === "" ? null : el("b", strong), after)))),
            el("details.whole", el("summary", "As it is in the log"),
                el("pre.mono", JSON.stringify(event, null, 1))));
    }

    /** Rows, the newest first, below the name of each day. */
    #drawList(position, rows) {
        const had = this.list.contains(document.activeElement);
        replace(this.list, rows.map((row, index) => [
            row.heading === rows[index - 1]?.heading ? null : el("li.of-day", row.heading),
            el("li", { class: row.isWithin ? "within" : null }, el("button", {
                type: "button",
                "aria-current": !row.isGroup && row.position === position ? "true" : null,
                onclick: () => this.go(row.position, 0),
            }, el("time", row.isWithin ? row.time : row.time.split(".")[0]),
            el("span", row.line)))]));
        if (had) this.list.querySelector("[aria-current]")?.focus();
    }
}
