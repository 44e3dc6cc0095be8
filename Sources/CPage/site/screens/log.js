// Log: the slider through time. An event, its bytes, and what was known as of then.

import { api } from "../api.js";
import { button, el, replace, setAttribute, setText, svg } from "../dom.js";
import { icon } from "../icons.js";
import { attempt, codes, figure, head, keySteps, saidLine } from "../parts.js";
import { sentences } from "../words.js";

export const name = "log";
export const title = "Log";
export const isStage = false;

const around = 4;
const settleMilliseconds = 120;
const dayMilliseconds = 86_400_000;
const compareWords = "What changed between two positions";

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
    #bars = [];
    #isFollowing = false;
    /** What a hand finds on the slider: times, or days where they are many. */
    #least = 1;

    constructor(main, { store, parameters, refused, settle }) {
        this.store = store;
        this.refused = refused;
        this.settle = settle;
        const asked = Number.parseInt(parameters[0] ?? "", 10);
        this.asked = Number.isSafeInteger(asked) && asked >= 0 ? asked : null;
        this.time = el("strong");
        this.place = el("span.quiet");
        this.slide = el("input.slide", { type: "range", min: 0, max: 0,
            "aria-label": "Time in the log", onkeydown: (event) => this.#press(event),
            oninput: () => this.#follow(),
            onpointerup: () => setTimeout(() => this.#rest()) });
        this.field = el("input", { "aria-label": "Time or position", inputmode: "text" });
        this.density = svg("svg", { class: "density", preserveAspectRatio: "none",
            "aria-hidden": "true" });
        this.compare = button("", () => this.#hold(), compareWords);
        const choice = (more) => el("input", { type: "radio", name: "shown",
            onchange: () => this.go(this.#at, 0), ...more });
        this.walksOnly = choice();
        const all = choice({ checked: true });
        this.hours = el("div.hours", { "aria-hidden": "true" });
        this.said = saidLine();
        this.state = el("section.card", { "aria-label": "At that moment" });
        this.event = el("section.card.event", { "aria-label": "Event" });
        this.list = el("ol");
        this.checked = el("p.note");
        main.append(head("Log", sentences.logLead), this.checked, this.#timeCard(), el("div.grid.two",
            el("div", this.state, this.event, this.compare),
            el("section.card.list", { "aria-label": "Events around it" },
                el("div.card-head", el("h2", "Around it"), el("p.note", "newest first")),
                el("fieldset.pills", el("legend.vh", "Show"), el("label", all, el("span", "All")),
                    el("label", this.walksOnly, el("span", "Walks only"))),
                this.list)));
    }

    #timeCard() {
        const form = el("form", { onsubmit: (event) => {
            event.preventDefault();
            this.#goTo(api.find(this.field.value.trim(), this.#at));
        } }, el("label", "Go to", this.field));
        return el("section.card.time", { "aria-label": "Moment" },
            el("div.then", el("p", this.time), this.place,
                button("", () => this.go(this.#head), "Back to now")),
            this.density, this.slide, this.hours,
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
            replace(this.checked, ...codes(view.checked));
            if (last === null) {
                replace(this.list, el("li.note", sentences.emptyLog));
                return;
            }
            this.#isBegun = true;
            const { from = 0, until = 0, step = 1, labels = [], density = [] } = view.axis ?? {};
            this.#least = step;
            Object.assign(this.slide, { min: from, max: until });
            this.#drawDensity(density);
            this.#head = last;
            this.go(this.asked ?? last, 0);
            // Below the slider: dates at five places, or the times of fewer days.
            replace(this.hours, labels.map((label) => el("span", label)));
        } catch (error) {
            if (this.#isGone) return;
            this.#isGone = true;
            this.refused(error);
        } finally {
            this.#isBeginning = false;
        }
    }

    /** Above the slider: the higher a bar, the more events came in its part of the time. */
    #drawDensity(density) {
        this.#bars = density.map((level) => level && Math.max(level, 4)).map((height, index) =>
            svg("rect", { x: `${100 * index / density.length}%`, y: `${100 - height}%`,
                width: `${80 / density.length}%`, height: `${height}%`, rx: 1 }));
        replace(this.density, this.#bars);
        setAttribute(this.density, "hidden", density.length === 0 ? "" : null);
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

    /** Goes to the time where the slider is, and on as long as it moves; of many days, to one. */
    async #follow() {
        if (this.#isFollowing) return;
        this.#isFollowing = true;
        for (let value = null; value !== this.slide.value;) {
            value = this.slide.value;
            // The end of the axis is the latest event, of several at once the last.
            const by = value === this.slide.max ? 1 : -(value % this.#least);
            await this.#goTo(api.moment(+value + by, this.#at));
        }
        this.#isFollowing = false;
    }

    /** An arrow goes to the event before or after, a page a day back or on. */
    #press(event) {
        const by = keySteps[event.key];
        if (!by) return;
        event.preventDefault();
        if (Math.abs(by) === 1) this.go(this.#at + by);
        else this.#goTo(api.moment(+this.slide.value + Math.sign(by) * dayMilliseconds, this.#at));
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
            this.#known.set(position, answer.view.event);
            this.#draw(answer);
            await this.#loadAround(position, signal);
        });
    }

    /** The positions around one; at the log's ends the same number, on the other side. */
    #near(position) {
        const from = Math.max(0, Math.min(position - around, this.#head - 2 * around));
        const until = Math.min(this.#head, from + 2 * around);
        return Array.from({ length: until - from + 1 }, (_, index) => from + index);
    }

    async #loadAround(position, signal) {
        if (this.walksOnly.checked) {
            const { view } = await api.turns(position, signal);
            this.#drawList(position, view);
            return;
        }
        const near = this.#near(position);
        if (!near.every((one) => this.#known.has(one))) {
            const { view } = await api.events(near[0], near.length, signal);
            for (const event of view) this.#known.set(event.position, event);
        }
        this.#drawAround(position);
    }

    async #goTo(asked) {
        const found = await attempt(this.said, () => asked);
        if (found && !this.#isGone) this.go(found.position, 0);
    }

    #drawPlace() {
        if (this.#at === null) return;
        const event = this.#known.get(this.#at);
        const all = this.store.head === this.#head ? this.store.view?.head : null;
        const of = `position ${event?.number ?? this.#at} of ${all ?? this.#head}`;
        if (event) {
            const [clock, fraction] = event.time.split(".");
            replace(this.time, clock, el("small", ".", fraction));
            this.field.placeholder = clock;
            if (event.moment > this.slide.max) this.slide.max = event.moment;
            // A hand that holds it decides where it is.
            if (!this.slide.matches(":active")) this.slide.value = event.moment;
        }
        const { min, max, value } = this.slide;
        const last = this.#bars.length - 1;
        const bar = Math.min(last, Math.floor((last + 1) * (value - min) / (max - min || 1)));
        this.#bars.forEach((one, index) => setAttribute(one, "class", index === bar ? "in" : null));
        setText(this.place, event ? `${event.date}, ${of}` : of);
        this.slide.setAttribute("aria-valuetext",
            event ? `${event.date}, ${event.time}, ${of}` : of);
    }

    #draw(answer) {
        this.#drawPlace();
        this.#shown = answer;
        this.#drawState(answer);
        if (this.#held) this.#drawChanges(this.#held, answer);
        else this.#drawEvent(answer);
        this.#drawAround(answer.event.position);
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

    #drawState({ session, view: { note, figures, strap } }) {
        replace(this.state,
            el("div.card-head", el("h2", "At that moment"), el("p.note", note)),
            el("dl.figures.asof", figures.map((one) => figure(one))),
            el("p.proof", icon("strap", "i-s"), el("span.cut", strap),
                session ? el("a", { href: `#/walks/${session.position}` }, "Its walk") : null));
    }

    #drawEvent({ event, view: { event: shown } }) {
        const [first, second] = shown.source.length > 1 ? shown.source : [null, shown.source[0]];
        replace(this.event,
            el("div.card-head", el("h2", "This event"),
                el("span", { class: `chip ${shown.isOdd ? "caution" : ""}` }, shown.sort)),
            el("p.say", shown.sentence),
            el("p.note.where", first ? el("span", first) : null,
                second ? el("span.mono", second) : null),
            shown.bytes.length === 0 ? null : el("ul.bytes", { "aria-label": "Raw bytes" },
                shown.bytes.map(({ hex, kind, before, strong, after }) =>
                    el("li", { class: kind }, el("code", hex),
                        el("small", before, strong === "" ? null : el("b", strong), after)))),
            el("details.whole", el("summary", "As it is in the log"),
                el("pre.mono", JSON.stringify(event, null, 1))));
    }

    #drawAround(position) {
        if (this.walksOnly.checked) return;
        const near = this.#near(position);
        const events = near.map((one) => this.#known.get(one)).filter(Boolean);
        // One alone is what is known before the others come.
        if (events.length > 1 || near.length === 1) this.#drawList(position, events);
    }

    /** Events, the newest first; those of walks alone may lie days apart. */
    #drawList(position, events) {
        if (position !== this.#at) return;
        const had = this.list.contains(document.activeElement);
        const isFar = this.walksOnly.checked;
        replace(this.list, events.toReversed().map((event) => el("li", el("button", {
            type: "button", "aria-current": event.position === position ? "true" : null,
            onclick: () => this.go(event.position, 0),
        }, isFar ? el("time", event.time.split(".")[0], el("small", event.date))
            : el("time", event.time), el("span", event.line)))));
        if (had) this.list.querySelector("[aria-current]")?.focus();
    }
}
