// Log: the slider through time. An event, its bytes, and what was known as of then.

import { api, Refusal } from "../api.js";
import { button, el, replace, setText } from "../dom.js";
import { icon } from "../icons.js";
import { codes, figure, head, saidLine } from "../parts.js";
import {
    bluetooth, clock, clockExact, count, dateOf, duration, kilometres, longDate, measuresOf,
    sentences, smallDate, strapName,
} from "../words.js";
import {
    byteTiles, eventChip, eventLine, eventSentence, eventSource,
} from "../words/events.js";

export const name = "log";
export const title = "Log";
export const isStage = false;

const around = 4;
const settleMilliseconds = 120;

export function mount(main, context) {
    const screen = new Log(main, context);
    screen.begin();
    return { update: () => screen.update(), unmount: () => screen.stop() };
}

/** The strap as of then, in words. */
function strapWords(connection, adapter) {
    if (!connection?.device) return "No strap";
    const name = strapName(connection.name);
    const hindrance = bluetooth[connection.activity] ?? (adapter === "poweredOff"
        ? bluetooth.bluetoothOff : null);
    if (connection.status === "disconnected") {
        return `${name}, ${hindrance ? hindrance.short : "not connected"}`;
    }
    if (connection.withoutContact) return `${name}, no contact`;
    const battery = connection.batteryPercent;
    return `${name}, connected${battery == null ? "" : `, battery ${battery} %`}`;
}

/** How far the log was compared with what was signed. */
function checkWords(check) {
    if (!check) return "";
    if (check.damagePosition !== null) return sentences.logBad(count(check.damagePosition));
    const offset = -new Date(check.at).getTimezoneOffset();
    return sentences.logChecked(count(check.verifiedBlocks), count(check.sealedBlocks),
        clock(check.at, offset), longDate(dateOf(check.at, offset)));
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

    constructor(main, { store, parameters, refused, settle }) {
        this.store = store;
        this.refused = refused;
        this.settle = settle;
        const asked = Number.parseInt(parameters[0] ?? "", 10);
        this.asked = Number.isSafeInteger(asked) && asked >= 0 ? asked : null;
        this.time = el("strong");
        this.place = el("span.quiet");
        this.slide = el("input.slide", { type: "range", min: 0, max: 0, step: 1,
            "aria-label": "Position in the log", oninput: () => this.go(+this.slide.value) });
        this.field = el("input", { "aria-label": "Time or position", inputmode: "text" });
        this.hours = el("div.hours", { "aria-hidden": "true" });
        this.said = saidLine();
        this.state = el("section.card", { "aria-label": "As of then" });
        this.event = el("section.card.event", { "aria-label": "Event" });
        this.list = el("ol");
        this.checked = el("p.note");
        main.append(head("Log", sentences.logLead), this.checked, this.#timeCard(), el("div.grid.two",
            el("div", this.state, this.event),
            el("section.card.list", { "aria-label": "Events around it" },
                el("div.card-head", el("h2", "Around it"), el("p.note", "newest first")),
                this.list)));
    }

    #timeCard() {
        const form = el("form", { onsubmit: (event) => {
            event.preventDefault();
            this.#goTo(this.field.value.trim());
        } }, el("label", "Go to", this.field));
        return el("section.card.time", { "aria-label": "Moment" },
            el("div.then", el("p", this.time), this.place,
                button("", () => this.go(this.#head), "Back to now")),
            this.slide, this.hours,
            el("div.nav",
                this.#step("Event before", -1), this.#step("Next event", 1), form), this.said);
    }

    /** On a narrow screen only the arrow is seen: the name stands in a label. */
    #step(label, by) {
        const arrow = icon(by < 0 ? "left" : "right");
        const parts = [arrow, el("span", label)];
        const node = button("", () => this.go(this.#at + by), ...(by < 0 ? parts
            : parts.reverse()));
        node.setAttribute("aria-label", label);
        return node;
    }

    async begin() {
        this.#isBeginning = true;
        try {
            const { head: last, selfCheck } = await api.log();
            if (this.#isGone) return;
            replace(this.checked, ...codes(checkWords(selfCheck)));
            if (last === null) {
                replace(this.list, el("li.note", sentences.emptyLog));
                return;
            }
            this.#isBegun = true;
            this.#setHead(last);
            this.go(this.asked ?? last, 0);
            await this.#drawHours(last);
        } catch (error) {
            if (this.#isGone) return;
            this.#isGone = true;
            this.refused(error);
        } finally {
            this.#isBeginning = false;
        }
    }

    /** Below the slider: the time at five places, and the date where it is another one. */
    async #drawHours(last) {
        const labels = [];
        let before = "";
        for (let part = 0; part <= 4; part += 1) {
            const { events: [event] } = await api.events(Math.round((last * part) / 4), 1);
            if (!event) return;
            const date = smallDate(dateOf(event.wallMilliseconds));
            labels.push(`${date === before ? "" : `${date}, `}${clock(event.wallMilliseconds)}`);
            before = date;
        }
        replace(this.hours, labels.map((label) => el("span", label)));
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
        for (const event of this.store.recent) this.#known.set(event.position, event);
        if (this.store.head > this.#head) this.#setHead(this.store.head);
    }

    #setHead(last) {
        this.#head = last;
        this.slide.max = last;
        this.#drawPlace();
    }

    /** Moves to a position; asks when the hand rests. */
    go(position, settle = settleMilliseconds) {
        if (this.#head === null) return;
        this.#at = Math.max(0, Math.min(this.#head, position));
        this.slide.value = this.#at;
        this.#drawPlace();
        clearTimeout(this.#wait);
        this.#wait = setTimeout(() => this.#load(this.#at), settle);
    }

    async #load(position) {
        this.#abort?.abort();
        this.#abort = new AbortController();
        const { signal } = this.#abort;
        try {
            const answer = await api.log(position, signal);
            if (position !== this.#at) return;
            this.settle(position);
            this.#known.set(position, answer.event);
            setText(this.said, "");
            this.#draw(answer);
            await this.#loadAround(position, signal);
        } catch (error) {
            if (error.name === "AbortError") return;
            if (!(error instanceof Refusal)) throw error;
            setText(this.said, error.message);
        }
    }

    /** The positions around one; at the log's ends the same number, on the other side. */
    #window(position) {
        const from = Math.max(0, Math.min(position - around, this.#head - 2 * around));
        return [from, Math.min(this.#head, from + 2 * around)];
    }

    async #loadAround(position, signal) {
        const [from, until] = this.#window(position);
        const isMissing = Array.from({ length: until - from + 1 }, (_, index) => from + index)
            .some((near) => !this.#known.has(near));
        if (isMissing) {
            const { events } = await api.events(from, until - from + 1, signal);
            for (const event of events) this.#known.set(event.position, event);
        }
        this.#drawAround(position);
    }

    /** A position, or a time of the day that is shown: found by halving. */
    async #goTo(text) {
        const time = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text);
        if (!time) {
            const position = Number.parseInt(text.replace(/[^\d]/g, ""), 10);
            if (Number.isSafeInteger(position)) this.go(position, 0);
            else setText(this.said, "Enter a time such as 09:51:57, or a position such as "
                + "21,906.");
            return;
        }
        const here = this.#known.get(this.#at);
        if (!here) return;
        const noon = new Date(here.wallMilliseconds);
        noon.setHours(Number(time[1]), Number(time[2]), Number(time[3] ?? 0), 0);
        let [low, high] = [0, this.#head];
        try {
            while (low < high) {
                const middle = Math.floor((low + high) / 2);
                const event = this.#known.get(middle) ?? (await api.events(middle, 1)).events[0];
                if (this.#isGone) return;
                this.#known.set(middle, event);
                if (event.wallMilliseconds < noon.getTime()) low = middle + 1;
                else high = middle;
            }
            this.go(low, 0);
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            if (!this.#isGone) setText(this.said, error.message);
        }
    }

    #drawPlace() {
        if (this.#at === null) return;
        const event = this.#known.get(this.#at);
        const of = `position ${count(this.#at)} of ${count(this.#head)}`;
        if (event) {
            const exact = clockExact(event.wallMilliseconds);
            replace(this.time, exact.slice(0, 8), el("small", exact.slice(8)));
            this.field.placeholder = exact.slice(0, 8);
            setText(this.place, `${longDate(dateOf(event.wallMilliseconds))}, ${of}`);
        } else {
            setText(this.place, of);
        }
        this.slide.setAttribute("aria-valuetext",
            `${event ? `${clockExact(event.wallMilliseconds).slice(0, 8)}, ` : ""}${of}`);
    }

    #draw(answer) {
        this.#drawPlace();
        this.#drawState(answer);
        this.#drawEvent(answer.event);
        this.#drawAround(answer.event.position);
    }

    #drawState({ connection, session, steps, adapter }) {
        const bpm = connection?.bpm ?? null;
        const age = connection?.ageMilliseconds ?? null;
        const isOpen = session != null && session.state !== "ended";
        const { today = null, dailyGoal = null } = steps ?? {};
        const note = bpm === null || age === null ? ""
            : `heart rate ${(age / 1000).toFixed(1)} s old`
                + (connection.status === "held" ? ", held" : "");
        replace(this.state,
            el("div.card-head", el("h2", "As of then"), el("p.note", note)),
            el("dl.figures.asof",
                figure("Heart", "heart", "i-fill c-heart", bpm === null ? "–" : String(bpm),
                    bpm === null ? null : "BPM"),
                figure("Today", "today", "c-today", count(today),
                    dailyGoal ? `of ${count(dailyGoal)}` : null),
                figure("Walk", "walk", "c-time",
                    isOpen ? duration(session.activeMilliseconds) : "–",
                    isOpen ? session.state === "paused" ? "paused" : "active" : null),
                figure("Distance", "distance", "c-distance",
                    isOpen ? kilometres(measuresOf(session).distance) : "–",
                    isOpen ? "km" : null)),
            el("p.proof", icon("strap", "i-s"), el("span.cut", strapWords(connection, adapter)),
                session ? el("a", { href: `#/walks/${session.position}` }, "Its walk") : null));
    }

    #drawEvent(event) {
        const chip = eventChip(event);
        const tiles = byteTiles(event);
        const [first, second] = eventSource(event);
        replace(this.event,
            el("div.card-head", el("h2", "This event"),
                el("span", { class: `chip ${chip.odd ? "caution" : ""}` }, chip.text)),
            el("p.say", eventSentence(event)),
            el("p.note.where", first ? el("span", first) : null,
                second ? el("span.mono", second) : null),
            tiles.length === 0 ? null : el("ul.bytes", { "aria-label": "Raw bytes" },
                tiles.map((tile) => el("li", { class: tile.classes }, el("code", tile.hex),
                    el("small", tile.before, tile.strong === "" ? null : el("b", tile.strong),
                        tile.after)))),
            el("details.whole", el("summary", "As it is in the log"),
                el("pre.mono", JSON.stringify(event, null, 1))));
    }

    #drawAround(position) {
        if (position !== this.#at) return;
        const had = this.list.contains(document.activeElement);
        const rows = [];
        const [from, until] = this.#window(position);
        for (let near = until; near >= from; near -= 1) {
            const event = this.#known.get(near);
            if (!event) continue;
            rows.push(el("li", el("button", {
                type: "button", "aria-current": near === position ? "true" : null,
                onclick: () => this.go(near, 0),
            }, el("time", clockExact(event.wallMilliseconds)), el("span", eventLine(event)))));
        }
        replace(this.list, rows);
        if (had) this.list.querySelector("[aria-current]")?.focus();
    }
}
