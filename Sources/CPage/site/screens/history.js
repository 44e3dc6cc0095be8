// History: a year as a calendar with its walks, a month of it, and all years; trends and records.

import { api, Refusal, unlessRefused } from "../api.js";
import { button, el, replace, setAttribute, setText, svg } from "../dom.js";
import { icon } from "../icons.js";
import { attempt, codes, lead, narrowProfile, saidLine, table, tr } from "../parts.js";
import { sentences } from "../words.js";
import { finder } from "./find.js";
import { fitted } from "./picture.js";
import { keyOf, largeMonth, smallMonths, yearSlider } from "./year.js";
import { showRecords } from "./records.js";
import { showRoutes } from "./routes.js";
import { showTrends } from "./trends.js";
import { showYears } from "./years.js";

export const name = "history";
export const title = "History";
export const isStage = false;

// What is looked for and what colours show is kept while the page is open: whoever looks at a walk
// and comes back finds the list as it was.
const asked = {};
let which = 0;

const parts = [["", "Calendar"], ["/trends", "Trends"], ["/records", "Records"]];

export function mount(main, { store, parameters, refused, settle }) {
    const [span = ""] = parameters;
    const isYear = /^\d{4}(-\d\d)?$/.test(span);
    const page = { gone: false, store, turn: 0, draw: null, finder: null,
        settle, blank: noWalks,
        // A search without a year is of all years.
        scope: isYear ? { year: span.slice(0, 4) } : { years: "all" },
        year: isYear ? span.slice(0, 4) : null, month: isYear && span.length > 4 ? span : null,
        head: el("div.when", el("h1", "History")) };
    const body = el("div", el("p.quiet", sentences.opening));
    const part = parts.find(([path]) => path === `/${span}`) ?? parts[0];
    main.append(el("div.head", page.head,
        el("div.head-end", el("nav.seg", { "aria-label": "Look back" },
            parts.map((one) => el("a", { href: `#/history${one[0]}`,
                "aria-current": one === part ? "page" : null }, one[1]))),
        narrowProfile())), body);
    const shows = { all: drawn(showYears), trends: showTrends, records: drawn(showRecords),
        routes: drawn(showRoutes) };
    const load = Object.hasOwn(shows, span) ? shows[span] : showYear;
    page.thumbs = new Thumbs();
    const again = () => load(page, body, again, parameters).catch((error) => {
        if (!page.gone) refused(error);
    });
    // What is shown of a walk under way is as of when the page was opened; its end is followed.
    const standing = () => `${store.leftOpen?.position}/${store.isWalking}`;
    let stood = standing();
    let width = 0;
    const watch = new ResizeObserver(() => {
        if (width === body.clientWidth) return;
        width = body.clientWidth;
        page.draw?.();
    });
    watch.observe(body);
    again();
    return {
        update() {
            if (standing() === stood) return;
            stood = standing();
            again();
        },
        unmount() {
            page.gone = true;
            watch.disconnect();
            page.thumbs?.disconnect();
        },
    };
}

const noWalks = () => el("section", { class: "card blank", "aria-label": "No walks yet" },
    icon("mark", "i-big"), el("h2", "No walks yet"), el("p", ...codes(sentences.noWalks)),
    el("a.btn.primary", { href: "#/walk" }, "Set up a walk"));

/** Shows a part whose charts are drawn again when the width changes. */
const drawn = (show) => async (page, ...rest) => {
    page.draw = await show(page, ...rest);
    page.draw?.();
};

// A year.

async function showYear(page, body, again) {
    page.turn += 1;
    const turn = page.turn;
    let view;
    try {
        ({ view } = await api.year({ ...page.scope, ...asked }));
    } catch (error) {
        // What was typed into the panel is answered there.
        if (!(error instanceof Refusal) || error.status !== 422 || !page.finder) {
            if (error instanceof Refusal && error.status === 422) {
                for (const key of Object.keys(asked)) delete asked[key];
            }
            throw error;
        }
        if (turn === page.turn) setText(page.finder.said, error.message);
        return;
    }
    if (page.gone || turn !== page.turn) return;
    if (view.isEmpty) {
        replace(body, noWalks());
        return;
    }
    page.finder ??= finder(asked, again);
    page.finder.draw(view.search);
    setText(page.finder.said, "");
    page.places ??= { top: el("div"), list: el("div") };
    const { top, list } = page.places;
    if (!top.isConnected) replace(body, top, ...page.finder.nodes, list);
    drawTop(page, view, top, again);
    drawList(page, view, list, again);
}

function drawHead(page, { title: text, before, after, months, first, search }, month) {
    const ofYear = () => el("a.btn.plain", { href: `#/history/${page.year ?? text}` }, text);
    if (search.isOfAllYears) {
        replace(page.head, el("h1", "Search"), ofYear());
        return;
    }
    const arrow = (picture, { key, label }) => el("a.icon-btn",
        { "aria-label": label, ...key ? { href: `#/history/${key}` }
            : { role: "link", "aria-disabled": "true" } }, icon(picture));
    const next = (by, { label }) => months[month + by]
        ? { key: months[month + by].key, label: months[month + by].title } : { label };
    replace(page.head,
        arrow("left", month >= 0 ? next(-1, { label: before.label }) : before),
        el("h1", (months[month] ?? first)?.title ?? text),
        arrow("right", month >= 0 ? next(1, { label: after.label }) : after),
        month >= 0 ? ofYear()
            : first ? null : el("a.btn.plain", { href: "#/history/all" }, "All years"));
}

function drawTop(page, view, top, again) {
    const month = page.month && !view.search.isSearch
        ? view.months.findIndex(({ key, leads }) => key === page.month && leads) : -1;
    drawHead(page, view, month);
    // A search has one measure.
    const shown = Math.min(which, view.measures.length - 1);
    const left = view.open.filter(({ position }) => position === page.store.leftOpen?.position)
        .map(({ sentence }) => openCard(page, sentence, again));
    const isVain = view.search.isSearch && view.groups.length === 0;
    if (isVain || view.calendar.cells.length === 0) {
        page.draw = null;
        replace(top, left, lead(view.measures[shown]));
        return;
    }
    const pick = view.measures.length < 2 ? null : el("div.seg.small",
        { role: "group", "aria-label": "Colour shows" }, view.measures.map(({ name: text }, one) =>
            el("button", { type: "button", "aria-pressed": String(one === which), onclick() {
                which = one;
                drawTop(page, view, top, again);
                top.querySelectorAll(".small button")[one].focus();
            } }, text)));
    const readout = el("p.readout");
    const tell = (say) => replace(readout, say.map((text, index) =>
        el(index === 0 ? "b" : "span", text)));
    // Until the first weeks are over they stand for the year.
    const span = view.months[month] ?? view.first;
    const isYear = !span;
    const { against, ...led } = isYear ? view.measures[shown] : span.leads[shown];
    const drawings = isYear ? [
        yearSlider(view, shown, tell, (date) => { location.hash = `#/day/${date}`; }),
        smallMonths(view, shown),
    ] : [];
    replace(top, left, lead(led),
        against?.length > 0 ? el("p.against", against[0], " ", el("span", against[1])) : null,
        el("section.card.cal", { "aria-label": "Calendar" },
            el("div.card-head", readout, pick),
            isYear ? el("div.drawn", drawings.flatMap(({ nodes }) => nodes))
                : largeMonth(view, shown, span, tell),
            keyOf(view, shown, !isYear), el("p.note.fixed", span?.note ?? view.note),
            isYear && !view.search.isSearch ? monthsTable(view.table) : null));
    const { cells } = view.calendar;
    tell(cells[Math.min(isYear ? Infinity : span.start + span.days, cells.length) - 1].say);
    page.draw = () => drawings.forEach(({ draw }) => draw());
    page.draw();
}

const monthsTable = ({ columns, rows, sums }) => el("details.fold",
    el("summary", "Months as a table", icon("down", "i-s")),
    table(columns, rows.map(({ key, cells: [first, ...others] }) =>
        tr([el("a", { href: `#/history/${key}` }, first), ...others])), sums));

// Walks.

function drawList(page, view, list, again) {
    page.thumbs?.disconnect();
    page.thumbs = new Thumbs();
    const month = view.search.isSearch ? null : page.month;
    const left = page.store.leftOpen?.position;
    const groups = view.groups.filter(({ key }) => month === null || key === month)
        .map((group) => ({ ...group,
            rows: group.rows.filter(({ position }) => position !== left) }))
        .filter(({ rows, isLeft }) => rows.length > 0 || isLeft);
    const isWhole = month !== null || view.search.isSearch;
    const row = (walk) => walkRow(page, walk, again);
    const shut = groups.filter(({ rows, isLeft }, index) => isLeft
        || !isWhole && index > 0 && !rows.some(({ isHidden }) => isHidden));
    replace(list,
        view.search.sentence ? el("p.result", { role: "status" }, view.search.sentence) : null,
        view.hiddenShown ? el("div.told", icon("hide"),
            el("p", el("strong", "Hidden walks are shown."), " ", view.hiddenShown),
            button("", () => page.finder.put("hidden", ""), "Put them away")) : null,
        groups.filter((group) => !shut.includes(group))
            .flatMap((group) => openGroup(group, row, month !== null)),
        shut.length > 0 ? [isWhole ? null
            : el("div.wk", el("h2", view.earlier), el("p.note", view.earlierNote)),
        el("ul.card.walks", shut.map((group) => shutGroup(view, group, row, month !== null)))]
            : null,
        view.hiddenNote && month === null ? el("p.note.rest", view.hiddenNote) : null);
}

function openGroup({ title: text, note, rows, first, more }, row, isWhole) {
    const isCut = !isWhole && rows.length > first
        && !rows.slice(first).some(({ isHidden }) => isHidden);
    const walks = el("ul.card.walks", (isCut ? rows.slice(0, first) : rows).map(row));
    const rest = el("div.more", button("", () => {
        const others = rows.slice(first).map(row);
        for (const other of others) walks.append(other);
        rest.remove();
        others[0].querySelector("a")?.focus();
    }, more));
    return [el("div.wk", el("h2", text), el("p.note", note)), walks, isCut ? rest : null];
}

/** A month that is one line until it is opened; of a very full year it is asked for only then. */
function shutGroup(view, group, row, isOpen) {
    const { title: text, sums, isLeft, from, until } = group;
    const box = el("ul");
    const said = saidLine();
    let isFilled = false;
    const fill = async () => {
        if (isFilled) return;
        isFilled = true;
        const answer = !isLeft ? { view: { groups: [group] } } : await attempt(said,
            () => api.year({ year: view.year, years: view.search.isOfAllYears ? "all" : "",
                ...asked, from, until }));
        isFilled = answer !== null;
        box.append(...(answer?.view.groups[0]?.rows ?? []).map(row));
    };
    return el("li", el("details", { open: isOpen, ontoggle: fill },
        el("summary.line-of", el("b", text), sums.map(({ value, unit }, index) =>
        el("span", { class: index === 1 ? "v" : "v wide-only" }, value, " ", el("small", unit))),
    icon("down", "i-s")), said, box));
}

/** After a crash: the walker chooses. */
function openCard(page, sentence, again) {
    const said = saidLine();
    const send = async (command) => {
        const answer = await attempt(said, () => page.store.command(command));
        if (!answer || page.gone) return;
        if (command === "continue") location.hash = "#/walk";
        else again();
    };
    return el("section.card.open", { "aria-label": "A walk was left open" },
        el("div", el("h2", "A walk was left open"), el("p", sentence), said),
        el("div.acts", button("", () => send("continue"), "Continue it"),
            button("", () => send("finish"), "End it there")));
}

export function walkRow(page, walk, again) {
    const { store } = page;
    const isUnder = store.isWalking && walk.position === store.scene?.session?.position;
    const notes = [isUnder ? "under way" : "", walk.day, ...walk.notes].filter(Boolean).join(", ");
    const value = ({ value: text, unit }, classes = "v") => el("span", { class: classes }, text,
        unit ? " " : null, unit ? el("small", unit) : null);
    const drawn = page.thumbs.make(walk);
    const place = walk.place && el("span.wide-only", notes && ", ", walk.place);
    const text = el("div.t", el("h3", walk.title), el("p", notes, place),
        el("p.meta", walk.meta, drawn.narrow));
    if (walk.isHidden) {
        const said = saidLine();
        const show = async () => {
            const answer = await attempt(said, () => store.command("describe",
                { session: walk.position, listing: "listed" }));
            if (answer && !page.gone) again();
        };
        const undo = button("", show, icon("see"), "Show again");
        setAttribute(undo, "aria-label", `Show again: ${walk.title}`);
        text.append(said);
        return el("li", el("div.walk.hid", drawn.track, text, drawn.wide, el("span.undo", undo)));
    }
    return el("li", el("a.walk",
        { href: isUnder ? "#/walk" : `#/walks/${walk.position}` },
        drawn.track, text, drawn.wide,
        value(walk.distance), value({ value: walk.time }, "v wide-only"),
        value(walk.more, "v wide-only"), value(walk.heart, "v wide-only"),
        icon("right", "i-s")));
}

/** Small routes and heart rates, asked for when they come into view, one after the other. */
export class Thumbs {
    #watch = new IntersectionObserver((entries) => this.#see(entries));
    #sessions = new Map();
    #queue = Promise.resolve();
    #stopped = false;

    /** The heart rate stands twice, of which one is seen: below the text where it is narrow. */
    make({ hasTrack, hasHeart, position }) {
        const track = svg("svg", { class: "thumb", viewBox: "0 0 52 52", "aria-hidden": "true" });
        for (const cx of hasTrack ? [] : [17, 26, 35]) {
            track.append(svg("circle", { cx, cy: 26, r: 2.5 }));
        }
        const trace = (classes) => svg("svg", { class: `hrt ${classes}`, viewBox: "0 0 132 34",
            preserveAspectRatio: "none", "aria-hidden": "true" },
        hasHeart ? null : svg("line", { x1: 2, x2: 130, y1: 17, y2: 17 }));
        const drawn = { track, wide: trace("wide-only"), narrow: trace("narrow-only") };
        if (hasTrack || hasHeart) {
            this.#sessions.set(track, { position, drawn });
            this.#watch.observe(track);
        }
        return drawn;
    }

    disconnect() {
        this.#stopped = true;
        this.#watch.disconnect();
    }

    #see(entries) {
        for (const { target, isIntersecting } of entries) {
            if (!isIntersecting) continue;
            this.#watch.unobserve(target);
            // A row says all that matters: where it is refused, its picture stays empty.
            this.#queue = this.#queue.then(() => this.#draw(target)).catch(unlessRefused);
        }
    }

    async #draw(node) {
        if (this.#stopped) return;
        const { position, drawn } = this.#sessions.get(node);
        const { track, heart } = await api.outline(position);
        if (track.length > 1) node.append(svg("path", { d: thumbPath(track) }));
        for (const one of [drawn.wide, drawn.narrow]) {
            if (heart.length > 1) one.append(svg("path", { d: tracePath(heart) }));
        }
    }
}

/** All rows have one scale, from 76 to 160 BPM; where there is no heart rate there is no line. */
export function tracePath(heart) {
    const x = (index) => Math.round(1_320 * index / (heart.length - 1)) / 10;
    const y = (bpm) => Math.round(10 * Math.max(1, Math.min(33, 33 - (bpm - 76) * 32 / 84))) / 10;
    return heart.map((bpm, index) => (bpm === 0 ? ""
        : `${heart[index - 1] ? "L" : "M"}${x(index)} ${y(bpm)}`
            + (heart[index - 1] || heart[index + 1] ? "" : "h.1"))).join("");
}

function thumbPath(track) {
    const tenths = (value) => Math.round(10 * value) / 10;
    const points = fitted(track, { left: 9, top: 9, width: 34, height: 34 });
    return `M${points.map(([x, y]) => `${tenths(x)} ${tenths(y)}`).join("L")}`;
}
