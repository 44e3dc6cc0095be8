// Looking for walks: a line for text, a panel of filters below it, and what was chosen as chips.

import { button, el, replace, setAttribute, setText } from "../dom.js";
import { icon } from "../icons.js";
import { saidLine, toggle } from "../parts.js";

// Until nobody has typed for this long, nothing is requested.
const restMilliseconds = 250;

/**
 * The line and the panel. `asked` has what is looked for, by the names of the server's
 * parameters; `change()` is called when it has changed.
 */
export function finder(asked, change) {
    const set = (key, value) => {
        if (value) asked[key] = value;
        else delete asked[key];
    };
    let rest = 0;
    const line = el("input", {
        type: "search", placeholder: "Name, place, tag or note", "aria-label": "Search walks",
        oninput() {
            set("text", line.value.trim());
            clearTimeout(rest);
            rest = setTimeout(change, restMilliseconds);
        },
    });
    const count = el("span.count", { hidden: true });
    const said = saidLine();
    const show = button("primary", () => open(false), "Show");
    const panel = el("form.card.panel", { "aria-label": "Filter", hidden: true,
        onsubmit: (event) => event.preventDefault() });
    const open = (isOpen) => {
        panel.hidden = !isOpen;
        toggler.setAttribute("aria-expanded", isOpen);
        if (!isOpen) toggler.focus();
    };
    const toggler = button("", () => open(panel.hidden), icon("filter"), el("span", "Filter"),
        count);
    setAttribute(toggler, "aria-expanded", "false");
    setAttribute(toggler, "aria-label", "Filter");

    const field = (key, label, more) => el("input", { "aria-label": label, ...more,
        value: asked[key] ?? "", onchange: (event) => {
            set(key, event.target.value.trim());
            change();
        } });
    const part = (title, ...content) => el("div", el("h3", title), ...content);
    const pair = (one, other) => el("div.pair", one, el("span", "to"), other);
    const length = (key, label, { unit, unitWord }) => el("span.unit",
        field(key, `${label}, ${unitWord}`, { inputmode: "decimal", placeholder: "any" }),
        el("i", { "aria-hidden": "true" }, unit));
    const pills = (key, title, choices, isMany) => {
        const chosen = isMany ? (asked[key] ?? "").split(",").filter(Boolean) : [asked[key] ?? ""];
        const type = isMany ? "checkbox" : "radio";
        const inputs = choices.map(({ value }) => el("input", { type, name: key, value,
            checked: chosen.includes(value), onchange() {
                set(key, inputs.filter((input) => input.checked).map((input) => input.value)
                    .join(","));
                change();
            } }));
        return el("fieldset.pills", el("legend.h3", title), choices.map(({ name }, index) =>
            el("label", inputs[index], el("span", name))));
    };

    /** Builds the panel from what there is to choose from. */
    function fill({ sports, sources, places, tags, ...units }) {
        const place = el("select", { "aria-label": "Place", onchange() {
            set("place", place.value);
            change();
        } }, ["", ...places].map((name) =>
            el("option", { value: name, selected: name === (asked.place ?? "") },
                name || "Anywhere")));
        const any = { value: "", name: "Any" };
        const hidden = toggle("show-hidden", asked.hidden === "1", (event) => {
            set("hidden", event.target.checked ? "1" : "");
            change();
        });
        line.value = asked.text ?? "";
        replace(panel,
            part("When", pair(field("from", "From", { type: "date" }),
                field("until", "Until", { type: "date" }))),
            part("Length", pair(length("longer", "At least", units),
                length("shorter", "At most", units))),
            pills("sport", "Sport", [any, ...sports]),
            pills("source", "Source", [any, ...sources]),
            places.length > 0 ? part("Place", place) : null,
            tags.length > 0 ? pills("tag", "Tags",
                tags.map((tag) => ({ value: tag, name: tag })), true) : null,
            el("div.line", el("label", { for: "show-hidden" }, "Show hidden walks",
                el("span.note", "They stay out of every sum.")), hidden),
            said,
            el("div.acts", show, button("", () => clear(), "Clear"),
                el("span.note", "The result updates as you choose.")));
    }
    const scope = el("div.seg", { role: "group", "aria-label": "Search in" });
    let choices = null;
    const put = (key, value) => {
        set(key, value);
        fill(choices);
        change();
        line.focus();
    };
    const clear = () => {
        for (const key of Object.keys(asked)) delete asked[key];
        put("text", "");
    };
    const chips = el("div.set");

    return {
        nodes: [el("form.find", { role: "search", onsubmit: (event) => event.preventDefault() },
            el("label.search", icon("search"), line), scope, toggler,
            el("a.btn", { href: "#/history/routes", "aria-label": "Routes" },
                icon("distance"), el("span", "Routes"))), panel, chips],
        said,
        /** Sets what is looked for in one respect. */
        put,
        /** Shows what came of it. */
        draw(search) {
            const isFirst = choices === null;
            choices = search;
            if (isFirst) fill(search);
            setText(count, search.chips.length);
            count.hidden = search.chips.length === 0;
            setText(show, search.show);
            // It stays while something is chosen, so that the buttons keep the focus.
            scope.hidden = !search.isSearch;
            if (isFirst) {
                replace(scope, search.scopes.map(({ name, value }) => el("button",
                    { type: "button", value, onclick: () => { asked.years = value; change(); } },
                    name)));
            }
            for (const one of scope.children) {
                setAttribute(one, "aria-pressed",
                    String(one.value === (search.isOfAllYears ? "all" : "")));
            }
            replace(chips, search.chips.map(({ key, value, text, label }) => el("button.tagx", {
                type: "button", "aria-label": label,
                onclick: () => put(key, (asked[key] ?? "").split(",")
                    .filter((one) => key === "tag" && one !== value).join(",")),
            }, text, icon("x", "i-s"))),
            search.chips.length > 1 ? button("plain", clear, "Clear all") : null);
        },
    };
}
