// Set-up, tiers 2 and 3: the goal, the only loud thing, and the settings, closed at first. What can
// be chosen, and how it is written, the server says.

import { api } from "../api.js";
import { button, el, replace, setAttribute, setText } from "../dom.js";
import { icon } from "../icons.js";
import { attempt, findCounter, toggle } from "../parts.js";
import { settings } from "../settings.js";
import { sentences } from "../words.js";

export const goalIcons = { steps: "steps", distance: "distance", duration: "time" };

/** What the walker has chosen; kept while the page is open. */
export const choice = { goals: {}, kind: "steps", outAndBack: false, changing: false,
    isTouched: false };

/** The goal that is chosen, as the server shows it. */
export const chosen = () => choice.goals[choice.kind];

/** Begins with the goal that the server would take, until the walker has chosen one. */
function adopt(goal) {
    if (choice.isTouched || !goal) return false;
    const isNew = choice.kind !== goal.kind || chosen().target !== goal.target;
    choice.kind = goal.kind;
    choice.goals[goal.kind] = goal;
    return isNew;
}

/** The goal's cards, the big number, presets, the daily goal and the settings. */
export function goalTierOf(tables, said, changed) {
    if (choice.units !== tables.units) Object.assign(choice, { units: tables.units, goals: {} });
    for (const { initial } of tables.goals) choice.goals[initial.kind] ??= initial;
    const cards = el("fieldset.goals", el("legend.vh", "Goal"));
    const byOf = Object.fromEntries(tables.goals.map(({ initial: { kind, name } }) => {
        const input = el("input", { type: "radio", name: "goal", value: kind });
        input.addEventListener("change", () => take(choice.goals[kind]));
        const by = el("small.by");
        cards.append(el("label", input, el("span", icon(goalIcons[kind]), name, by)));
        return [kind, by];
    }));
    const cannot = cannotOf(() => take(choice.goals[order.split(" ")[0]]));
    let order = "";
    /** The goals in the order of what there is to measure them, and what does. */
    function drawCards({ goals }) {
        const next = goals.map(({ kind }) => kind).join(" ");
        if (next !== order) {
            order = next;
            if (!choice.isTouched) choice.kind = goals[0].kind;
            cards.append(...goals.map(({ kind }) => byOf[kind].closest("label")));
            fillPresets();
        }
        for (const { kind, by } of goals) setText(byOf[kind], by);
        const missing = goals.find(({ kind }) => kind === choice.kind).lack;
        choice.isMeasured = missing === null;
        cannot.draw(missing, choice.goals[goals[0].kind].name);
        settable.hidden = !choice.isMeasured;
    }
    const presets = el("fieldset.pills.presets");
    const daily = el("button.daily", { type: "button" });
    const more = settingsOf();
    let asked = Promise.resolve(true);
    /** Asks for another goal of this kind, after what was asked before; true once it came. */
    function ask(way) {
        const { kind } = choice;
        choice.isTouched = true;
        asked = asked.then(() => attempt(said, async () => {
            choice.goals[kind] = await api.goal(kind, way(choice.goals[kind]));
            changed();
            return true;
        }));
    }
    function take(goal) {
        const isOther = goal.kind !== choice.kind;
        asked = asked.then(() => true);
        choice.isTouched = true;
        choice.kind = goal.kind;
        choice.goals[goal.kind] = goal;
        if (isOther) fillPresets();
        changed();
    }
    function fillPresets() {
        const { presets: list } = tables.goals.find(({ initial }) => initial.kind === choice.kind);
        replace(presets, el("legend.vh", "Presets"), list.map((goal) => {
            const input = el("input", { type: "radio", name: "preset", value: goal.target });
            input.addEventListener("change", () => take(goal));
            return el("label", input, el("span", goal.short));
        }));
    }
    const dial = dialOf(ask);
    fillPresets();
    const settable = el("div.settable", dial.node, presets, daily, more.node);
    const body = el("div.sheet-body", cards, cannot.node, settable);
    const draw = (view) => {
        drawCards(view);
        if (adopt(view.goal)) fillPresets();
        dial.draw();
        for (const input of body.querySelectorAll("input[type=radio]")) {
            input.checked = [choice.kind, String(chosen().target)].includes(input.value);
        }
        daily.hidden = !view.daily;
        setText(daily, view.daily?.text);
        daily.disabled = !view.daily?.goal;
        daily.onclick = () => take(view.daily.goal);
        more.draw();
    };
    const focus = () => body.querySelector(".goals input:checked")?.focus();
    /** Whether the last goal that was asked for came, once that is known. */
    const settled = () => {
        const last = asked;
        // What was refused is told once, and what is chosen afterwards stands.
        asked = last.then(() => true);
        return last;
    };
    return { body, draw, focus, settled };
}

/** In place of the number: that nothing measures the goal, what can, and what can be done. */
function cannotOf(use) {
    const [fact, can, other] = [el("h2"), el("p"), button("", use)];
    const node = el("div.cannot", { role: "status" }, el("div", fact, can),
        el("div.acts", findCounter(), other));
    const draw = (lack, goal) => {
        node.hidden = lack === null;
        const [first, ...rest] = (lack ?? "").split(". ");
        setText(fact, first);
        setText(can, rest.join(". "));
        setText(other, `Use ${goal.toLowerCase()}`);
    };
    return { node, draw };
}

/** The big number between less and more. */
function dialOf(ask) {
    const field = el("input", { id: "target" });
    const less = el("button.icon-btn", { type: "button",
        onclick: () => ask(({ less: target }) => ({ target })) }, icon("minus"));
    const more = el("button.icon-btn", { type: "button",
        onclick: () => ask(({ more: target }) => ({ target })) }, icon("plus"));
    const unit = el("p.unit");
    let shown = null;
    field.addEventListener("change", () => {
        const typed = field.value;
        ask(() => ({ typed }));
    });
    const draw = () => {
        const goal = chosen();
        // While somebody types, only an answer to what was typed replaces it.
        if (shown !== goal || document.activeElement !== field) field.value = goal.typed;
        shown = goal;
        field.inputMode = choice.kind === "distance" ? "decimal" : "numeric";
        setAttribute(field, "aria-label", `Target in ${goal.unit}`);
        setAttribute(less, "aria-label", goal.lessWords);
        setAttribute(more, "aria-label", goal.moreWords);
        setText(unit, goal.unit);
    };
    return { node: el("div.target", el("div.dial", less, field, more), unit), draw };
}

/** Out and back belongs to the walk; how the heart beats is a choice of this browser. */
function settingsOf() {
    const note = el("p.note");
    const way = toggle("oab", choice.outAndBack, (event) => {
        choice.outAndBack = event.target.checked;
    });
    const beat = toggle("with-heart", settings.beatsWithHeart, (event) => {
        settings.beatsWithHeart = event.target.checked;
    });
    const node = el("details", { id: "settings" },
        el("summary", icon("sliders", "i-s"), "Session settings", icon("down")),
        el("div.setting", el("div", el("label", { for: "oab" }, "Out and back"), note), way),
        el("div.setting", el("div", el("label", { for: "with-heart" }, "Beat with the heart"),
            el("p.note", sentences.beatHint)), beat));
    return { node, draw: () => setText(note, chosen().turn) };
}
