// Set-up, tiers 2 and 3: the goal, the only loud thing, and the settings, closed at first.

import { el, replace, setAttribute, setText } from "../dom.js";
import { icon } from "../icons.js";
import { toggle } from "../parts.js";
import { settings } from "../settings.js";
import { goals, sentences } from "../words.js";

export const goalIcons = { steps: "steps", distance: "distance", duration: "time" };

/** What the walker has chosen; kept while the page is open. */
export const choice = {
    kind: "steps", targets: {}, outAndBack: false, changing: false, isTouched: false,
};

export const target = () => choice.targets[choice.kind] ?? goals[choice.kind].initial;

/** Begins with the goal that the server would take, until the walker has chosen one. */
function adopt(goal) {
    if (choice.isTouched || !goals[goal?.kind] || !(goal.target > 0)) return false;
    const isNew = choice.kind !== goal.kind || target() !== goal.target;
    choice.kind = goal.kind;
    choice.targets[goal.kind] = goal.target;
    return isNew;
}

/** The goal's cards, the big number, presets, the daily goal and the settings. */
export function goalTierOf(changed) {
    const cards = Object.entries(goals).map(([kind, goal]) => {
        const input = el("input", { type: "radio", name: "goal", value: kind });
        input.checked = kind === choice.kind;
        input.addEventListener("change", () => choose(kind));
        return el("label", input, el("span", icon(goalIcons[kind]), goal.name));
    });
    const dial = dialOf(set);
    const presets = el("fieldset.pills.presets");
    const daily = el("button.daily", { type: "button" });
    const more = settingsOf();
    function set(value) {
        const goal = goals[choice.kind];
        const sound = Number.isFinite(value) && value > 0 ? value : goal.initial;
        choice.isTouched = true;
        choice.targets[choice.kind] = Math.max(1, Math.min(goal.highest, Math.round(sound)));
        changed();
    }
    function choose(kind) {
        choice.isTouched = true;
        choice.kind = kind;
        fillPresets();
        changed();
    }
    function fillPresets() {
        const goal = goals[choice.kind];
        replace(presets, el("legend.vh", "Presets"), goal.presets.map((preset) => {
            const input = el("input", { type: "radio", name: "preset", value: preset });
            input.addEventListener("change", () => set(preset));
            return el("label", input, el("span", goal.show(preset)));
        }));
    }
    fillPresets();
    const body = el("div.sheet-body",
        el("fieldset.goals", el("legend.vh", "Goal"), cards),
        dial.node, presets, daily, more.node);
    const draw = (scene) => {
        if (adopt(scene.goal)) fillPresets();
        dial.draw();
        for (const card of cards) {
            const input = card.querySelector("input");
            input.checked = input.value === choice.kind;
        }
        for (const input of presets.querySelectorAll("input")) {
            input.checked = Number(input.value) === target();
        }
        drawDaily(daily, scene, (missing) => {
            choice.kind = "steps";
            fillPresets();
            set(missing);
        });
        more.draw();
    };
    const focus = () => body.querySelector(".goals input:checked")?.focus();
    return { body, draw, focus };
}

/** The big number between less and more. */
function dialOf(set) {
    const field = el("input", { id: "target" });
    const steer = (sign) => {
        const goal = goals[choice.kind];
        const next = (sign > 0 ? Math.floor : Math.ceil)(target() / goal.step) + sign;
        set(Math.max(goal.lowest, next * goal.step));
    };
    const less = el("button.icon-btn", { type: "button", onclick: () => steer(-1) }, icon("minus"));
    const more = el("button.icon-btn", { type: "button", onclick: () => steer(1) }, icon("plus"));
    const unit = el("p.unit");
    field.addEventListener("change", () => {
        set(goals[choice.kind].read(field.value));
        field.value = goals[choice.kind].show(target());
    });
    const draw = () => {
        const goal = goals[choice.kind];
        if (document.activeElement !== field) field.value = goal.show(target());
        field.inputMode = choice.kind === "distance" ? "decimal" : "numeric";
        setAttribute(field, "aria-label", `Target in ${goal.unit}`);
        setAttribute(less, "aria-label", `${goal.steer} less`);
        setAttribute(more, "aria-label", `${goal.steer} more`);
        setText(unit, goal.unit);
    };
    return { node: el("div.target", el("div.dial", less, field, more), unit), draw };
}

function drawDaily(daily, scene, take) {
    const { today = 0, dailyGoal = null } = scene.steps ?? {};
    daily.hidden = !dailyGoal;
    const missing = dailyGoal - today;
    setText(daily, missing > 0 ? sentences.dailyLeft(missing) : sentences.dailyDone);
    daily.disabled = missing <= 0;
    daily.onclick = () => take(missing);
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
    const draw = () => setText(note,
        sentences.turnAt({ kind: choice.kind, target: target() }));
    return { node, draw };
}
