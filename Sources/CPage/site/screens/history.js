// History: walks by week, days against the daily goal, and weeks. Its figures are the corrected
// ones, and say so.

import { api, Refusal } from "../api.js";
import { barChart } from "../chart.js";
import { button, el, replace, svg } from "../dom.js";
import { icon } from "../icons.js";
import { attempt, card, codes, figure, saidLine } from "../parts.js";
import { sentences } from "../words.js";

export const name = "history";
export const title = "History";
export const isStage = false;

const views = [["walks", "Walks"], ["days", "Days"], ["weeks", "Weeks"]];
const daysShown = 30;

export function mount(main, { store, parameters, refused }) {
    const view = parameters[0] ?? "walks";
    const page = { chart: null, gone: false, store };
    const body = el("div", el("p.quiet", sentences.opening));
    main.append(el("div.head", el("div", el("h1", "History")),
        el("div.head-end", el("nav.seg", { "aria-label": "Show" }, views.map(([key, text]) =>
            el("a", { href: key === "walks" ? "#/history" : `#/history/${key}`,
                "aria-current": key === view ? "page" : null }, text))))), body);
    const load = { walks: showWalks, days: showDays, weeks: showWeeks }[view] ?? showWalks;
    const again = () => load(page, body, again).catch((error) => {
        if (!page.gone) refused(error);
    });
    // What is shown of a walk under way is as of when the page was opened; its end is followed.
    const standing = () => `${store.leftOpen?.position}/${store.isWalking}`;
    let drawn = standing();
    again();
    return {
        update() {
            if (standing() === drawn) return;
            drawn = standing();
            again();
        },
        unmount() {
            page.gone = true;
            page.thumbs?.disconnect();
            page.chart?.destroy();
        },
    };
}

const noWalks = () => el("section", { class: "card blank", "aria-label": "No walks yet" },
    icon("mark", "i-big"), el("h2", "No walks yet"), el("p", ...codes(sentences.noWalks)),
    el("a.btn.primary", { href: "#/walk" }, "Set up a walk"));

// Walks.

async function showWalks(page, body, again) {
    const { view } = await api.sessions();
    if (page.gone) return;
    if (view.rows.length === 0) {
        replace(body, noWalks());
        return;
    }
    page.thumbs?.disconnect();
    page.thumbs = new Thumbs();
    const under = page.store.isWalking ? page.store.scene?.session?.position : null;
    // Only the scene says whether somebody records a walk that has not ended.
    const left = page.store.leftOpen?.position;
    const weeks = Map.groupBy(view.rows.filter(({ position }) => position !== left),
        ({ week }) => week);
    replace(body,
        view.rows.filter(({ position }) => position === left)
            .map(({ open }) => openCard(page, open, again)),
        [...weeks.values()].flatMap((walks) => [
            el("div.wk", el("h2", walks[0].weekTitle), el("p.note", walks[0].weekNote)),
            el("ul.card.walks", walks.map((walk) => walkRow(walk, under, page.thumbs))),
        ]));
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

function walkRow(walk, under, thumbs) {
    const isUnder = walk.position === under;
    const notes = isUnder ? ["under way", ...walk.notes] : walk.notes;
    const value = ({ value: text, unit }, classes = "v") => el("span", { class: classes }, text,
        unit ? " " : null, unit ? el("small", unit) : null);
    return el("li", el("a.walk",
        { href: isUnder ? "#/walk" : `#/walks/${walk.position}` },
        thumbs.make(walk),
        el("div.t",
            el("h3", walk.title),
            el("p", el("span.narrow-only", walk.time, notes.length > 0 ? ", " : ""),
                notes.join(", "))),
        value(walk.distance), value({ value: walk.time }, "v wide-only"),
        value(walk.steps, "v wide-only"), value(walk.heart, "v wide-only"),
        icon("right", "i-s")));
}

/** Small routes, asked for when they come into view, one after the other. */
class Thumbs {
    #watch = new IntersectionObserver((entries) => this.#see(entries));
    #sessions = new Map();
    #queue = Promise.resolve();
    #stopped = false;

    make({ hasTrack, position }) {
        const node = svg("svg", { class: "thumb", viewBox: "0 0 52 52", "aria-hidden": "true" });
        if (hasTrack) {
            this.#sessions.set(node, position);
            this.#watch.observe(node);
        } else {
            node.append(svg("circle", { cx: 26, cy: 26, r: 3 }));
        }
        return node;
    }

    disconnect() {
        this.#stopped = true;
        this.#watch.disconnect();
    }

    #see(entries) {
        for (const { target, isIntersecting } of entries) {
            if (!isIntersecting) continue;
            this.#watch.unobserve(target);
            this.#queue = this.#queue.then(() => this.#draw(target));
        }
    }

    async #draw(node) {
        if (this.#stopped) return;
        try {
            const { track } = await api.outline(this.#sessions.get(node));
            if (track?.length > 1) node.append(svg("path", { d: thumbPath(track) }));
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            // The row says all that matters; its picture stays empty.
        }
    }
}

function thumbPath(track) {
    const squeeze = Math.cos((track[0].latitudeE7 / 1e7) * (Math.PI / 180));
    const xs = track.map((point) => point.longitudeE7 * squeeze);
    const ys = track.map((point) => -point.latitudeE7);
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    const [wide, high] = [Math.max(...xs) - left, Math.max(...ys) - top];
    const scale = 34 / Math.max(wide, high, 1);
    const tenths = (value) => Math.round(10 * value) / 10;
    const x = (value) => tenths(26 + (value - left - wide / 2) * scale);
    const y = (value) => tenths(26 + (value - top - high / 2) * scale);
    return track.map((_, index) => `${index === 0 ? "M" : "L"}${x(xs[index])} ${y(ys[index])}`)
        .join("");
}

// Days.

async function showDays(page, body) {
    const { view } = await api.days(daysShown);
    if (page.gone) return;
    if (view === null) {
        replace(body, noWalks());
        return;
    }
    const plot = el("div.plot.days");
    const readout = el("p.readout", { "aria-hidden": "true" });
    replace(body,
        el("dl.figures.sums", view.figures.map((one) => figure(one, true))),
        card(view.title, "Steps a day", view.range, plot, readout,
            daysKey(view.hasGoal, view.fixed),
            el("p.note.after-key", view.notes.join(" "))),
        daysTable(view.rows));
    page.chart?.destroy();
    page.chart = barChart(plot, view.chart, readout);
}

function daysKey(hasGoal, fixed) {
    const square = (classes) => svg("svg", { class: "key-shape", "aria-hidden": "true" },
        svg("rect", { class: classes, x: .5, y: .5, width: 11, height: 11, rx: 3 }));
    return el("ul.key",
        hasGoal ? [el("li", square("d met"), "Goal reached"),
            el("li", square("d"), "Below the goal")] : null,
        fixed > 0 ? el("li", square("fixd"), "Shown that day, before a correction") : null);
}

function daysTable(days) {
    const rows = days.map(({ date, title: day, steps, shown, goal }) => el("tr",
        el("td", el("a", { href: `#/day/${date}` }, day)),
        [steps, shown, goal].map((text) => el("td", text))));
    return el("details.card.list", el("summary", "As a table"),
        table(["Day", "Steps", "Corrected", "Goal"], rows));
}

const table = (columns, rows) => el("table.table",
    el("thead", el("tr", columns.map((column) => el("th", { scope: "col" }, column)))),
    el("tbody", rows));

// Weeks.

async function showWeeks(page, body) {
    const { view } = await api.sessions();
    if (page.gone) return;
    if (view.rows.length === 0) {
        replace(body, noWalks());
        return;
    }
    const { figures, note, rows, chart } = view.weeks;
    const plot = el("div.plot.weeks");
    const readout = el("p.readout", { "aria-hidden": "true" });
    replace(body,
        el("dl.figures.sums", figures.map((one) => figure(one, true))),
        el("div.grid",
            card("Active time a week", "Active time a week", note, plot, readout),
            rows.length === 0 ? null : card("Weeks", null, null,
                table(["Week of", "Walks", "km", "Active", "Steps"], rows.map(({ cells }) =>
                    el("tr", cells.map((text) => el("td", text))))))));
    page.chart?.destroy();
    page.chart = barChart(plot, chart, readout);
}
