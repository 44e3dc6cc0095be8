// The profile: what is known of the walker, for what, and what they want. A field is saved when it
// is left; its sentences and ranges are the server's.

import { api, Refusal } from "../api.js";
import { button, el, replace, setAttribute, setText } from "../dom.js";
import { errorLine, refuse, segments } from "../fields.js";
import { icon } from "../icons.js";
import { renew, toggle } from "../parts.js";
import { settings } from "../settings.js";
import { sentences } from "../words.js";
import { ZoneCard } from "./zones.js";

export const name = "profile";
export const title = "Profile";

export function mount(main, { store, refused }) {
    const page = new Page(main, store);
    api.profile().then(({ view }) => page.isGone || page.draw(view), (error) => {
        if (!page.isGone) refused(error);
    });
    return { unmount: () => { page.isGone = true; } };
}

/** All cards, and whether everything on them is saved. */
class Page {
    #asked = Promise.resolve();
    #waiting = 0;
    #late = null;
    #parts = null;
    #bad = new Set();
    isGone = false;

    constructor(main, store) {
        this.main = main;
        this.store = store;
    }

    draw(view) {
        this.view = view;
        this.#parts ??= this.#build(view);
        const { goal, cards, zones } = this.#parts;
        goal.draw(view.goal);
        view.cards.forEach(({ fields, seen }, index) => {
            fields.forEach((field, place) => cards[index].fields[place].draw(field));
            setText(cards[index].seen, seen);
        });
        zones.draw(view.zones);
    }

    #build(view) {
        const goal = new GoalCard(this);
        const zones = new ZoneCard(this);
        const cards = view.cards.map(({ key, title: text, fields: all }) => {
            const fields = all.map(() => new Field(this));
            const seen = el("p.seen");
            const node = el("section.card", { "aria-label": text },
                el("div.card-head", el("h2", text)),
                el("ul.set", fields.map((field) => field.node),
                    key === "walk" ? ofThisBrowser() : null), key === "units" ? seen : null);
            return { node, fields, seen };
        });
        const [you, units, heart, walk] = cards.map(({ node }) => node);
        this.saved = el("p.saved", { role: "status" });
        replace(this.main, el("div.head", el("div", el("h1", title)), this.saved),
            el("p.lead-in", view.lead),
            el("div.grid.cols", el("div", goal.node, you, units), el("div", heart, zones.node,
                walk)));
        return { goal, cards, zones };
    }

    /** Saves what a part of the page has to say then, after what was saved before. */
    save(part, setting) {
        this.#waiting += 1;
        this.#asked = this.#asked.then(async () => {
            try {
                const wanted = setting();
                if (wanted) await this.store.command("profile", { settings: [wanted] });
                part.refuse("");
                this.#bad.delete(part);
                if (wanted) {
                    this.#late = (await api.profile()).view;
                    this.#parts.goal.goal = this.#late.goal;
                }
            } catch (error) {
                if (!(error instanceof Refusal)) {
                    this.#waiting -= 1;
                    reportError(error);
                    return;
                }
                part.refuse(error.message);
                this.#bad.add(part);
            }
            this.#waiting -= 1;
            // What was changed since then is not drawn as it was before, but waits for its turn.
            if (this.isGone) return;
            if (this.#waiting === 0 && this.#late) this.draw(this.#late);
            const { size } = this.#bad;
            setAttribute(this.saved, "class", size > 0 ? "saved no" : "saved");
            replace(this.saved, icon(size > 0 ? "alert" : "check", "i-s"),
                size > 0 ? this.view.unsaved[size - 1] : this.view.saved);
        });
    }
}

/** One field: what is typed, chosen or switched. */
class Field {
    #shape = "";
    #saved = "";
    #sent = "";
    inputs = [];
    chosen = [];
    toggle = null;

    constructor(page, node = el("li")) {
        this.page = page;
        this.node = node;
        this.note = el("span.note");
    }

    #build({ key, label, parts, choices, isOn }) {
        const save = (value) => this.page.save(this, () => `${key}=${value}`);
        // What is as it was is not saved again, but no longer wrong.
        const leave = () => {
            const typed = this.#typed();
            if (typed !== this.#saved) {
                this.#sent = typed;
                save(typed);
            }
            if (typed === this.#saved && this.node.classList.contains("bad")) {
                this.page.save(this, () => null);
            }
        };
        this.error = errorLine(`${key}-error`);
        this.inputs = parts.map((part, one) => el("input", { id: one === 0 ? key : null,
            "aria-label": part.name, autocomplete: "off",
            placeholder: isOn === null && parts.length === 1 ? "unknown" : "",
            inputmode: part.written === "" ? "numeric" : "decimal",
            onkeydown: (event) => {
                if (event.key === "Enter") leave();
            } }));
        this.numbers = el(parts.length > 1 ? "span.duo" : "span", {
            onfocusout: ({ relatedTarget }) => {
                if (!this.numbers.contains(relatedTarget)) leave();
            },
        }, this.inputs.map((input, one) => el(parts.length > 1 ? "span.num.ft"
            : parts[one].unit === "" ? "span.num.bare" : "span.num", input,
        el("i", { "aria-hidden": "true" }, parts[one].unit))));
        const row = segments(key, label, choices, save);
        this.chosen = row.inputs;
        const isSwitch = isOn !== null;
        const flip = isSwitch ? toggle(`${key}-on`, isOn, ({ target }) => save(
            parts.length === 0 ? (target.checked ? "on" : "off")
                : target.checked ? this.#typed() : "none")) : null;
        this.toggle = flip?.firstChild ?? null;
        this.offer = el("div.offer", { hidden: true });
        this.node.classList.toggle("stack", choices.length > 2);
        replace(this.node,
            el("span.l", el("label", { for: choices.length > 0 ? null
                : isSwitch ? `${key}-on` : key }, label), this.note),
            el("span.alert", parts.length > 0 ? this.numbers : null,
                choices.length > 0 ? row.node : null, flip), this.offer, this.error);
    }

    /** What is typed, as a setting has it. */
    #typed() {
        const texts = this.inputs.map(({ value }) => value.replace(/\s/g, ""));
        if (texts.every((text) => text === "")) return "none";
        return texts.map((text, one) => (text === "" || /[a-z]$/i.test(text) ? text
            : `${text} ${this.field.parts[one].written}`.trim())).join(" ").trim();
    }

    draw(field) {
        this.field = field;
        const shape = JSON.stringify([field.parts.map(({ unit }) => unit), field.label]);
        if (shape !== this.#shape) {
            this.#shape = shape;
            this.#build(field);
        }
        const { note, path, pathText } = field;
        renew(this.note, note, () => [note, path && " ", path && el("a", { href: path }, pathText)]);
        field.choices.forEach(({ isChosen }, one) => { this.chosen[one].checked = isChosen; });
        if (this.toggle) this.toggle.checked = field.isOn;
        // What somebody types now, or has to correct, is left alone.
        const isWrong = this.node.classList.contains("bad");
        const isTyping = isWrong || (this.numbers.contains(document.activeElement)
            && ![this.#saved, this.#sent].includes(this.#typed()));
        if (!isTyping) {
            field.parts.forEach(({ value }, one) => { this.inputs[one].value = value; });
            this.#saved = this.#typed();
        }
        for (const input of this.inputs) input.disabled = field.isOn === false && !isWrong;
        const { offer } = field;
        this.offer.hidden = !offer;
        if (offer) {
            replace(this.offer, el("span", offer.text), button("", () => this.page.save(this,
                () => `${field.key}=${offer.value}`), offer.button));
        }
    }

    refuse(sentence) {
        const { kept } = this.field;
        refuse(this.node, this.error, this.inputs,
            sentence === "" || kept === "" ? sentence : `${sentence} ${kept}`);
        if (sentence !== "" && this.inputs.length === 0) this.draw(this.field);
    }
}

/** The loud number, between less and more. */
class GoalCard {
    constructor(page) {
        const by = (key) => el("button.round", { type: "button",
            onclick: () => page.save(this.field, () => `daily-goal=${this.goal[key]}`) },
        icon(key === "less" ? "minus" : "plus"));
        [this.less, this.more] = [by("less"), by("more")];
        this.field = new Field(page, el("div.dial-field"));
        this.node = el("section.card.goal", { "aria-label": "Daily goal" },
            el("div.dial", this.less, this.field.node, this.more),
            el("p.note", el("a", { href: "#/history" }, "See your days")));
    }

    draw(goal) {
        this.goal = goal;
        this.field.draw(goal);
        this.less.disabled = goal.less === null;
        setAttribute(this.less, "aria-label", goal.lessWords);
        setAttribute(this.more, "aria-label", goal.moreWords);
    }
}

/** What belongs to this browser, and is in no log. */
const ofThisBrowser = () => [
    ["hearsGoal", "Hear the goal and the turn", ""],
    ["largeFigures", "Large figures", sentences.largeHint],
    ["beatsWithHeart", "Beat with the heart", sentences.beatHint],
].map(([key, label, note]) => el("li",
    el("span.l", el("label", { for: key }, label), el("span.note", note)),
    toggle(key, settings[key], ({ target }) => { settings[key] = target.checked; })));
