// Parts that several screens are made of.

import { button, el, replace, setText, svg, unseen } from "./dom.js";
import { icon } from "./icons.js";
import { Refusal } from "./api.js";

/** How far keys move a slider; a page is five, or what stands for one there. */
export const keySteps = {
    ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5 };

/** The icon of a figure: its name and classes. */
export function pictureOf(picture, size = "") {
    const [name, ...classes] = picture.split(" ");
    return icon(name, [size, ...classes].join(" ").trim());
}

/** A name, a value and its unit, for lists of figures; `plain` without an icon. */
export function figure({ picture, name, value, unit, note, walk }, isPlain = false) {
    const shown = walk ? el("a", { href: `#/walks/${walk}` }, value) : el("span", value);
    return el("div.figure",
        el("dt", isPlain || !picture ? null : pictureOf(picture, "i-s"), name),
        el("dd", shown, value && unit ? "\u00a0" : null, unit ? el("small", unit) : null),
        note ? el("dd.note", note) : null);
}

/** The loud number of a screen, and the quiet ones next to it. */
export const lead = ({ loud, loudName, figures }) => el("div.lead",
    el("p.loud", el("strong", loud), el("span", loudName)),
    el("dl.figures", figures.map((one) => figure(one, true))));

/** A card with a title. */
export function card(label, title, note, ...children) {
    return el("section.card", { "aria-label": label },
        title ? el("div.card-head", el("h2", title), note ? el("p.note", note) : null) : null,
        ...children);
}

/** A row of a table; a cell is text, or nodes. */
export const tr = (cells, classes = null) =>
    el("tr", { class: classes }, cells.map((cell) => el("td", cell)));

/** A table: what stands above its columns, its rows, and sums below them. */
export const table = (heads, rows, sums) => el("table.table",
    el("thead", el("tr", heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", rows), sums ? el("tfoot", tr(sums)) : null);

/** The lines of an axis and what stands before them; `y` is where a value is. */
export const linesOf = (ticks, y, left, right) => ticks.flatMap(({ v, label }) => [
    svg("path", { class: v === 0 ? "axis" : "rule", d: `M${left} ${y(v)}H${right}` }),
    svg("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end" }, label)]);

/** The three bars of a signal, next to the word. */
const signal = ({ bars, signal: word }) => el("span.signal",
    el("span.bars", { "data-bars": bars, "aria-hidden": "true" }, el("b"), el("b"), el("b")),
    word);

/** A strap in range: bars, name and address, and what can be done. */
export const strapRow = (strap, action, roles) => el("li", signal(strap),
    el("div.grow", el("h3", { class: roles ? "" : "cut", title: strap.name }, strap.name),
        el("p.note.cut", roles, el("span.mono", strap.address))), action);

/** Where what counts steps is found. */
export const findCounter = () => el("a.btn", { href: "#/devices" }, "Find a counter");

/** What keeps straps or walks away; nothing without a sentence. `of` is its quiet icon, if any. */
export function drawTrouble(node, said, of = null) {
    node.hidden = !said;
    if (!said || node.dataset.said === said + of) return;
    node.dataset.said = said + of;
    node.classList.toggle("told", of !== null);
    const [fact, ...more] = said.split(/(?<=\.) /);
    replace(node, icon(of ?? "info"),
        el("p", el("strong", ...codes(fact)), " ", ...codes(more.join(" "))),
        of === "steps" ? findCounter() : null);
}

const places = new Map();

/**
 * Straps as a list needs them: whichever came first stays first, and the strength is a word. A
 * list that moved with each report would slip away under the finger.
 */
export function steady(straps) {
    for (const { address } of straps ?? []) {
        if (!places.has(address)) places.set(address, places.size);
    }
    return [...straps ?? []]
        .sort((one, other) => places.get(one.address) - places.get(other.address));
}

/** Pairs a strap; it waits while any strap is being paired. */
export function pairButton(strap, pairing, pair, classes = "") {
    const isIt = pairing?.address === strap.address;
    const node = button(classes, () => {
        if (!pairing) pair();
    }, isIt ? "Pairing" : "Pair");
    node.setAttribute("aria-label", `${isIt ? "Pairing" : "Pair"} ${strap.name}`);
    // Not `disabled`: it would throw away the focus of whoever has just pressed it.
    if (pairing) node.setAttribute("aria-disabled", "true");
    return node;
}

/** A strap that could be used instead of the one that is away. */
export function substituteOf(store, said) {
    const text = el("p");
    let address = "";
    const use = button("plain",
        () => attempt(said, () => store.command("useSubstitute", { address })), "Use it");
    const node = el("div.say", { hidden: true }, el("div.grow", text, use));
    return {
        node,
        draw(offer) {
            node.hidden = !offer;
            if (!offer) return;
            address = offer.address;
            setText(text, offer.text);
            setText(use, offer.use);
        },
    };
}

/** Does something that Pulselog may refuse; the sentence is shown in `said`. */
export async function attempt(said, work) {
    setText(said, "");
    try {
        return await work();
    } catch (error) {
        if (error.name === "AbortError") return null;
        if (!(error instanceof Refusal)) throw error;
        replace(said, ...codes(error.message));
        return null;
    }
}

/** What stands in place of what a library of the system would draw. */
export const missing = (what, library) => el("p.note.missing",
    ...codes(`${what} ${library}, which is not installed: \`sudo apt install ${library}\`.`));

/** The line where refusals are shown. */
export const saidLine = () => el("p.said", { role: "status" });

/**
 * Asks once, in place: `holder`'s content becomes the question with two answers, and comes back
 * when it is answered with the second.
 */
export function askInPlace(holder, question, yes, no, act, classes = "fault") {
    const before = [...holder.childNodes];
    const from = document.activeElement;
    const back = () => {
        holder.replaceChildren(...before);
        from?.focus?.();
    };
    const keep = button("", back, no);
    replace(holder, el("span.ask", {
        role: "group", "aria-label": question,
        onkeydown: (event) => {
            if (event.key === "Escape") back();
        },
    }, el("span", question), button(classes, () => {
        back();
        act();
    }, yes), keep));
    keep.focus();
}

/** Draws a place anew when what it shows is another. */
export function renew(place, shown, draw) {
    const now = JSON.stringify(shown);
    if (place.dataset.of === now) return;
    place.dataset.of = now;
    redraw(place, () => replace(place, draw(shown)));
}

/** Redraws a place and gives the focus back to the control of the same name. */
export function redraw(place, work) {
    const focused = place.contains(document.activeElement) ? document.activeElement : null;
    const label = focused?.getAttribute("aria-label");
    work();
    if (!focused || focused.isConnected) return;
    [...place.querySelectorAll("[aria-label]")]
        .find((node) => node.getAttribute("aria-label") === label)?.focus();
}

/** A page's head: title, a line below it, and on a phone the way to the profile. */
export const head = (title, line) => el("div.head",
    el("div", el("h1", title), el("p.quiet", line)), el("div.head-end", narrowProfile()));

/** The way to the profile. */
export const profileLink = (more) => el("a.icon-btn",
    { href: "#/profile", "aria-label": "Profile", ...more }, icon("person"));

/** The same at the end of a head, where the bar has no room for it. */
export const narrowProfile = () => profileLink({ class: "icon-btn narrow" });

/** A switch with its label. */
export function toggle(id, checked, onchange) {
    const input = el("input", { type: "checkbox", role: "switch", id, onchange });
    input.checked = checked;
    return el("span.switch", input, el("span"));
}

/** A card that says why there is nothing, quietly. */
export function blank(iconName, text, ...more) {
    return el("div.blank", icon(iconName), el("p", ...codes(text)), ...more);
}

/** A battery, drawn and in words. */
export function battery(percent, text) {
    const width = Math.round(16 * Math.max(0, Math.min(100, percent))) / 100;
    return el("span.batt",
        svg("svg", { viewBox: "0 0 24 12", "aria-hidden": "true" },
            svg("rect", { class: "o", x: .7, y: .7, width: 20, height: 10.6, rx: 3 }),
            svg("path", { class: "o", d: "M22.5 4v4" }),
            svg("rect", { class: "f", x: 2.5, y: 2.5, width, height: 7, rx: 1.5 })),
        unseen("Battery "), text);
}

/** Shows a refusal where a screen should be. */
export function refusedPage(main, message) {
    main.className = "page";
    replace(main, el("div.card.shut", el("h1", "Pulselog"), el("p", ...codes(message))));
}

/** Text whose `parts` are code, which no line cuts within a word or an option. */
export const codes = (text) => text.split("`").map((part, index) => (index % 2 === 0 ? part
    : el("code.mono", part.split(/( )/).map((word) => (word === " " ? word : el("span", word))))));
