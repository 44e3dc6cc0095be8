// What fields of forms share: those of the profile, and the limits of zones.

import { el, setAttribute, setText } from "./dom.js";
import { icon } from "./icons.js";

/** Why something is not saved, with a mark. */
export const errorLine = (id) => el("p.err", { id, hidden: true }, icon("alert", "i-s"),
    el("span"));

/** Shows a sentence, or nothing, and says of the inputs whether they are wrong. */
export function refuse(node, line, inputs, sentence) {
    node.classList.toggle("bad", sentence !== "");
    line.hidden = sentence === "";
    setText(line.lastChild, sentence);
    for (const input of inputs) {
        setAttribute(input, "aria-invalid", sentence !== "");
        setAttribute(input, "aria-describedby", sentence === "" ? null : line.id);
    }
}

/** A fieldset of which one is chosen. */
export function segments(key, label, choices, choose) {
    const inputs = choices.map(({ value }) => el("input", { type: "radio", name: key, value,
        onchange: () => choose(value) }));
    return { inputs, node: el("fieldset.seg", { "aria-label": label }, choices.map((choice, one) =>
        el("label", inputs[one], el("span", choice.name)))) };
}
