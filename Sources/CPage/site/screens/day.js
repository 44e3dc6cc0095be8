// Day: the audit of a day's steps. The number, why it is what it is, whether it ever fell, the
// staircase, and each step of it explained.

import { api } from "../api.js";
import { stairChart } from "../chart.js";
import { el, replace, svg, unseen } from "../dom.js";
import { icon } from "../icons.js";
import { card, redraw } from "../parts.js";
import { clock, count, dateOf, longDate, sentences } from "../words.js";
import {
    addCorrections, certificateWords, correctedWords, rows, sentenceOf, titleOf, whoOf,
    whyOf,
} from "../words/day.js";

export const name = "day";
export const title = "Day";
export const isStage = false;

const rowsAtFirst = 60;

/** The day of today is asked for again when its count has changed, at most this often. */
const againMilliseconds = 5_000;

export function mount(main, { store, parameters, entitle, refused }) {
    const date = parameters[0] ?? dateOf(Date.now());
    const page = { made: [], gone: false, isWhole: false };
    const counted = () => store.scene?.steps?.today;
    let drawn = counted();
    let wait = 0;
    let isLoading = false;
    let took = 0;
    async function load() {
        isLoading = true;
        drawn = counted();
        const begin = performance.now();
        try {
            const day = await api.day(date);
            took = performance.now() - begin;
            if (page.gone) return;
            for (const thing of page.made.splice(0)) thing.destroy();
            const goal = day.dailyGoal ?? store.scene?.steps?.dailyGoal ?? null;
            redraw(main, () => draw(main, day, goal, page));
            entitle(longDate(date));
        } catch (error) {
            if (page.gone) return;
            refused(error, isDate(date) ? headOf(date) : undefined);
        } finally {
            isLoading = false;
        }
    }
    // Whoever reads or points at something is not disturbed.
    const isBusy = () => document.visibilityState !== "visible"
        || main.querySelector(":focus, .plot:hover") !== null;
    main.append(el("p.quiet", sentences.opening));
    load();
    return {
        update() {
            if (date !== dateOf(Date.now()) || counted() === drawn || wait !== 0 || isLoading) {
                return;
            }
            // A long log takes its time; it is not asked all of the time.
            wait = setTimeout(() => {
                wait = 0;
                if (!isBusy()) load();
            }, Math.max(againMilliseconds, 10 * took));
        },
        unmount() {
            page.gone = true;
            clearTimeout(wait);
            for (const thing of page.made) thing.destroy();
        },
    };
}

/** Whether an address names a day, and not something that somebody has typed. */
const isDate = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

function headOf(date) {
    const shift = (days) => dateOf(Date.parse(date) + days * 86_400_000, 0);
    const isLast = date >= dateOf(Date.now());
    const link = (label, picture, days) => el("a.icon-btn",
        { href: `#/day/${shift(days)}`, "aria-label": label }, icon(picture));
    return el("div.head",
        el("div", el("h1", longDate(date)), el("p.quiet", "Audit of the day’s steps")),
        el("div.head-end.dayswitch", link("The day before", "left", -1),
            isLast ? null : link("The day after", "right", 1)));
}

function draw(main, day, goal, page) {
    const changes = day.changes ?? [];
    const offset = day.offsetMinutes;
    const list = addCorrections(rows(changes));
    const plot = el("div.plot.stairs");
    const readout = el("p.readout", { "aria-hidden": "true" });
    replace(main, headOf(day.date),
        el("div.grid.top",
            el("section.count", { "aria-label": "Steps of the day" },
                el("p", el("strong.n", count(day.displayed)), unseen(" steps")),
                el("p.why", sentenceOf(changes, offset))),
            el("div.side", certificateCard(day, changes),
                day.corrected === day.displayed ? null : correctedCard(day, changes))),
        changes.length === 0 ? null : card("The count over the day", null, null, plot, readout,
            keyOf(list)),
        changes.length === 0 ? null : stepsCard(list, offset, page));
    if (changes.length === 0) return;
    const chart = chartOf(day, changes, goal);
    page.made.push(stairChart(plot, chart.label, chart, readout));
}

function certificateCard(day, changes) {
    const holds = day.certificate?.holds === true;
    const { title: heading, sentence } = certificateWords(
        day.certificate, changes);
    const { position } = day.certificate ?? {};
    return el("section", {
        class: `card cert ${holds ? "" : "bad"}`,
        "aria-label": holds ? "Certificate" : "Certificate refused",
    }, el("span.seal", icon(holds ? "shield" : "shield-x")),
    el("div", el("h2", heading), el("p", sentence),
        holds ? el("p.note", "To check it yourself: ",
            el("code.mono", `pulselog audit check --day ${day.date}`))
            : position == null ? null
                : el("a", { href: `#/log/${position}` }, "See that event")));
}

function correctedCard(day, changes) {
    return el("section.card.fix", { "aria-label": "Corrected figure" },
        el("div", el("span", "Corrected"), el("strong", count(day.corrected))),
        el("p.quiet", correctedWords(day, changes, day.offsetMinutes)));
}

/** Steps of the chart: one per change, from midnight to the day's end or now. */
function chartOf(day, changes, goal) {
    const offset = (day.offsetMinutes ?? -new Date(day.date).getTimezoneOffset()) * 60_000;
    const midnight = Date.parse(`${day.date}T00:00:00Z`) - offset;
    const at = (change) => Math.max(0, Date.parse(change.at) - midnight);
    const steps = [[0, 0, 0]];
    const marks = new Map();
    for (const change of changes) {
        const kind = rows([change])[0].kind;
        const last = steps.at(-1);
        // dygraphs wants times that only grow: what happens at once becomes one stair.
        const time = Math.max(at(change), last[0]);
        if (time === last[0]) steps.pop();
        if (!["stair", "none"].includes(kind)) marks.set(steps.length, kind);
        steps.push([time, change.after, change.corrected]);
    }
    const end = Math.max(86_400_000, steps.at(-1)[0]);
    const isToday = day.date === dateOf(Date.now());
    const until = isToday ? Math.max(Date.now() - midnight, steps.at(-1)[0]) : end;
    const [, shown, corrected] = steps.at(-1);
    if (until > steps.at(-1)[0]) steps.push([Math.min(until, end), shown, corrected]);
    const last = changes.findLast((change) => change.after !== change.before);
    return {
        steps, marks, goal, end,
        label: `Staircase of the step count from 0 at midnight to ${count(day.displayed)}`
            + `${last ? ` at ${clock(last.at, day.offsetMinutes)}` : ""}. `
            + "Each stair is explained in the list below.",
    };
}

const shapes = {
    stair: [["path", { class: "stair", d: "M1 13h5V8h6V3h5" }]],
    corrected: [["path", { class: "corrected", d: "M0 8h18" }]],
    health: [["path", { class: "mk health", d: "M9 1l7 7l-7 7l-7-7z" }]],
    kept: [["circle", { class: "mk kept", cx: 9, cy: 8, r: 5 }]],
    fix: [["path", { class: "mk fix", d: "M4 3h10v10h-10z" }]],
    fell: [["path", { class: "fell", d: "M9 2v12" }]],
    none: [["path", { class: "none", d: "M4 12h10" }]],
};

const shape = (kind) => svg("svg",
    { class: "key-shape", viewBox: "0 0 18 16", "aria-hidden": "true" },
    shapes[kind].map(([tag, attributes]) => svg(tag, attributes)));

function keyOf(list) {
    const kinds = new Set(list.map((row) => row.kind));
    const entries = [
        ["stair", "Shown", true], ["corrected", "Corrected", kinds.has("fix")],
        ["health", "Health store led", kinds.has("health")],
        ["kept", "Health store was behind", kinds.has("kept")],
        ["fix", "Correction", kinds.has("fix")], ["fell", "The count fell", kinds.has("fell")],
    ];
    return el("ul.key", entries.filter(([, , isShown]) => isShown)
        .map(([kind, text]) => el("li", shape(kind), text)));
}

function stepsCard(list, offset, page) {
    const first = page.isWhole ? list : list.slice(0, rowsAtFirst);
    const items = el("ol", first.map((row) => stepRow(row, offset)));
    const node = card("Each step explained", "Each step", "The greatest of the three wins", items);
    node.classList.add("steps");
    if (list.length > first.length) {
        const more = el("button.btn.plain", {
            type: "button",
            onclick: () => {
                page.isWhole = true;
                more.remove();
                const rest = list.slice(rowsAtFirst).map((row) => stepRow(row, offset));
                items.append(...rest);
                rest[0].querySelector("a").focus();
            },
        }, `Show the other ${count(list.length - first.length)}`);
        node.append(more);
    }
    return node;
}

function stepRow(row, offset) {
    const { change } = row;
    return el("li.step",
        el("time", { datetime: row.first.at }, clock(row.first.at, offset)),
        el("span.pin", { "aria-hidden": "true" }, shape(row.kind)),
        el("div.body", el("h3", titleOf(row)),
            el("p.what", `${whyOf(row)} ${whoOf(row.change)}`, el("a", {
                href: `#/log/${change.position}`,
                "aria-label": `Position ${count(change.position)} in the log`,
            }, "In the log"))),
        change.winner === null ? null : operands(change), moveOf(row));
}

function operands(change) {
    const operand = (label, key) => (change[key] == null && change.winner !== key ? null
        : el("div", { class: change.winner === key ? "won" : null },
            el("dt", label, change.winner === key ? unseen(", won") : null),
            el("dd", count(change[key]))));
    return el("dl.ops", operand("Health", "health"), operand("Here", "baselinePlusDelta"),
        operand("Last shown", "persisted"));
}

function moveOf({ change, first }) {
    const moved = change.after - first.before;
    const word = moved > 0 ? el("span.up", `+${count(moved)}`)
        : moved < 0 ? el("span.down", `−${count(-moved)}`) : el("span.same", "no change");
    return el("p.move", word, el("small", count(change.after)));
}
