// After: the walk's head. Name, sport, tags, place and note are edited where they stand: Enter, or
// leaving the field, saves; Escape takes back. Hiding acts at once, and can be taken back.

import { button, el, limitBytes, replace } from "../dom.js";
import { icon } from "../icons.js";
import { attempt, saidLine } from "../parts.js";
import { pop } from "./walk-menu.js";

const fields = {
    name: { label: "Name", change: "Change the name", add: "Add a name" },
    place: { label: "Place", change: "Change the place", add: "Add a place" },
    note: { label: "Note", change: "Change the note", add: "Add a note" },
    tags: { label: "Tag", change: "Add a tag", add: "Add a tag" },
};

/** The head of a session; `tell(title)` is called when it has got another one. */
export function walkHead({ position, view }, { store, tell }, ...menus) {
    const node = el("div.walk-head");
    const said = saidLine();
    let shown = view;

    /** Says something of the walk; the answer is the head as it is then. */
    async function describe(change) {
        const answer = await attempt(said,
            () => store.command("describe", { session: position, ...change }));
        if (answer === null) return false;
        shown = answer.view;
        tell(shown.title);
        draw();
        return true;
    }

    /** Hides it, or shows it again; what had the focus is gone then. */
    async function list(listing, next) {
        if (await describe({ listing })) node.querySelector(next).focus();
    }

    /** Puts a field in the place of what it changes. */
    function edit(key, place) {
        const { label } = fields[key];
        const before = key === "tags" ? "" : shown.kept[key].value;
        const field = el(key === "note" ? "textarea.field" : "input.field",
            { "aria-label": label, rows: key === "note" ? 3 : null });
        // Without the tables the server says what is too long.
        if (store.tables) limitBytes(field, store.tables.longestBytes[key]);
        field.value = before;
        const initial = field.value;
        let isOver = false;
        const close = (isFocused) => {
            isOver = true;
            draw();
            if (isFocused) node.querySelector(`[data-edit="${key}"]`)?.focus();
        };
        const save = async (isFocused) => {
            if (isOver) return;
            const text = field.value.trim();
            if (field.value === initial) {
                close(isFocused);
                return;
            }
            isOver = true;
            const change = key !== "tags" ? { [key]: text } : { tags: [
                ...shown.kept.tags.map(({ value }) => value), ...text.split(",")] };
            isOver = await describe(change);
            if (isOver && isFocused) node.querySelector(`[data-edit="${key}"]`)?.focus();
        };
        field.addEventListener("keydown", (event) => {
            if (event.key === "Escape") close(true);
            else if (event.key === "Enter" && !event.isComposing) save(true);
            else return;
            event.preventDefault();
        });
        // A tag can be taken away while another is written.
        field.addEventListener("blur", ({ relatedTarget: next }) =>
            key === "tags" && next?.matches(".off") || save(false));
        place.replaceWith(field);
        field.focus();
        if (key !== "note") field.select();
    }

    /** The button that begins a change, in the place of `place` or of itself. */
    function editButton(key, classes, place, ...content) {
        const isEmpty = key === "tags" || shown.kept[key].text === "";
        const node = el("button", {
            type: "button", class: classes, "data-edit": key,
            "aria-label": isEmpty ? null : fields[key].change,
            onclick: () => edit(key, place ?? node),
        }, ...content);
        return node;
    }

    function title() {
        const line = el("div.title", el("h1", shown.title));
        line.append(editButton("name", "icon-btn", line, icon("edit"),
            shown.kept.name.text === "" ? el("span.vh", fields.name.add) : null));
        return line;
    }

    function sport() {
        const { sport: now, sports } = shown.kept;
        const select = el("select", {
            "aria-label": "Sport", "data-edit": "sport",
            onchange: async () => {
                if (await describe({ sport: select.value })) {
                    node.querySelector("[data-edit=sport]").focus();
                }
            },
        }, sports.map(({ key, name }) =>
            el("option", { value: key, selected: key === now }, name)));
        return el("span.tag.sport", icon("walk", "i-s"), select);
    }

    function tags() {
        const { tags: all, place } = shown.kept;
        const without = (value) => () => describe({ tags: [
            ...all.map((tag) => tag.value).filter((one) => one !== value),
            // The one that is being written is not lost.
            ...(node.querySelector(".tags input")?.value ?? "").split(",").filter(Boolean),
        ] });
        return el("div.tags", sport(),
            all.map(({ text, value }) => el("span.tag", text, el("button", {
                type: "button", class: "off", "aria-label": `Remove the tag ${text}`,
                onclick: without(value),
            }, icon("x", "i-s")))),
            editButton("tags", "tag new", null, fields.tags.add),
            place.text === "" ? editButton("place", "tag new", null, fields.place.add)
                : editButton("place", "tag where", null, icon("gps", "i-s"), place.text),
            shown.kept.hidden !== null ? null : el("button.tag.new", { type: "button",
                "data-edit": "hide", onclick: () => list("hidden", ".told button") },
            "Hide this walk"));
    }

    function note() {
        const { text } = shown.kept.note;
        if (text === "") return editButton("note", "tag new", null, fields.note.add);
        const line = el("p.memo", text);
        line.append(editButton("note", "icon-btn", line, icon("edit", "i-s")));
        return line;
    }

    function more() {
        const item = (picture, text, onclick) =>
            el("li", el("button", { type: "button", onclick }, icon(picture), text));
        return pop("more", "More", "small", "More of this walk",
            el("li", el("a", { href: `#/log/${position}` }, icon("log"), "See it in the log")),
            item("print", "Print this page", () => print()),
            view.sources.some(({ rows }) => rows.some(({ device }) => device))
                ? item("strap", "Leave out a strap’s values",
                    () => document.querySelector(".ways button").focus()) : null);
    }

    function hidden() {
        const again = button("", () => list("listed", "[data-edit=name]"), "Show again");
        return el("div.told", icon("hide"), el("p", { role: "status" }, shown.kept.hidden), again);
    }

    function draw() {
        replace(node, el("div.head",
            el("div.who", title(), el("p.quiet", shown.end), tags(), note(), said),
            el("div.head-end", menus, more())),
        shown.kept.hidden === null ? null : hidden());
    }

    draw();
    return node;
}
