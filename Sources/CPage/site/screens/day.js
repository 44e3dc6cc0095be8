// Day: the audit of a day's steps. The number, why it is what it is, whether it ever fell, the
// staircase, and each step of it explained.

import { api } from "../api.js";
import { Chart, lineOf, scrubOf, zoomBy } from "../chart.js";
import { lastUntil } from "../cursor.js";
import { el, replace, setAttribute, setText, svg, unseen } from "../dom.js";
import { icon } from "../icons.js";
import { card, codes, narrowProfile, redraw } from "../parts.js";
import { sentences } from "../words.js";
import { Thumbs, walkRow } from "./history.js";

export const name = "day";
export const title = "Day";
export const isStage = false;

/** The day of today is asked for again when its count has changed, at most this often. */
const againMilliseconds = 5_000;

export function mount(main, { store, parameters, entitle, refused }) {
    const page = { store, gone: false, isWhole: false, isToday: false };
    const counted = () => [store.scene?.steps?.today, store.isWalking,
        store.scene?.session?.position].join();
    let drawn = counted();
    let wait = 0;
    let isLoading = false;
    let took = 0;
    async function load() {
        isLoading = true;
        drawn = counted();
        const begin = performance.now();
        try {
            const { view } = await api.day(parameters[0] ?? "today");
            took = performance.now() - begin;
            if (page.gone) return;
            page.isToday = view.isToday;
            page.thumbs?.disconnect();
            page.thumbs = new Thumbs();
            redraw(main, () => draw(main, view, page));
            entitle(view.title);
        } catch (error) {
            if (page.gone) return;
            refused(error, error.view ? headOf(error.view) : undefined);
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
            if (!page.isToday || counted() === drawn || wait !== 0 || isLoading) return;
            // A long log takes its time; it is not asked all of the time.
            wait = setTimeout(() => {
                wait = 0;
                if (!isBusy()) load();
            }, Math.max(againMilliseconds, 10 * took));
        },
        unmount() {
            page.gone = true;
            clearTimeout(wait);
            page.thumbs?.disconnect();
        },
    };
}

function headOf({ title: heading, date, before, after }) {
    const link = (label, picture, date) => el("a.icon-btn",
        { href: `#/day/${date}`, "aria-label": label }, icon(picture));
    return el("div.head",
        el("div", el("h1", heading), el("p.quiet", "Audit of the day’s steps")),
        el("div.head-end.dayswitch",
            el("a.btn", { href: `#/history/${date.slice(0, 7)}`,
                "aria-label": "Calendar: choose a day" }, icon("cal"), el("span", "Calendar")),
            link("The day before", "left", before),
            after === null ? null : link("The day after", "right", after), narrowProfile()));
}

function draw(main, view, page) {
    const { chart } = view;
    const readout = el("p.readout", { "aria-hidden": "true" });
    replace(main, headOf(view),
        el("div.grid.top",
            el("section.count", { "aria-label": "Steps of the day" },
                view.count ? el("p", el("strong.n", view.count), unseen(" steps")) : null,
                el("p.why", view.sentence)),
            el("div.side", view.certificate ? certificateCard(view.certificate) : null,
                view.corrected ? correctedCard(view.corrected) : null)),
        view.walks.length > 0 ? el("ul.card.walks", { "aria-label": "Walks of the day" },
            view.walks.map((walk) => walkRow(page, walk))) : null,
        chart && (view.count || view.rows.some(({ kind }) => kind !== "none"))
            ? card("The count over the day", null, null, stairsOf(chart, readout), readout,
                keyOf(view.rows)) : null,
        chart ? stepsCard(view, page) : null);
}

function certificateCard({ title: heading, sentence, over, command, position }) {
    const holds = command !== undefined;
    return el("section", {
        class: `card cert ${holds ? "" : "bad"}`,
        "aria-label": holds ? "Certificate" : "Certificate refused",
    }, el("span.seal", icon(holds ? "shield" : "shield-x")),
    el("div", el("h2", heading), el("p", ...codes(sentence)),
        over ? el("p.note", over) : null,
        holds ? el("p.note", ...codes(`To check it yourself: \`${command}\``))
            : el("a", { href: `#/log/${position}` }, "See that event")));
}

function correctedCard({ count, sentence }) {
    return el("section.card.fix", { "aria-label": "Corrected figure" },
        el("div", el("span", "Corrected"), el("strong", count)), el("p.quiet", sentence));
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

const drawn = (kind) => shapes[kind].map(([tag, attributes]) => svg(tag, attributes));

const shape = (kind) => svg("svg",
    { class: "key-shape", viewBox: "0 0 18 16", "aria-hidden": "true" }, drawn(kind));

/** The staircase of a day: `{points, end, top, ticks, hours, goal, goalText, label}`. */
function stairsOf({ points, end, top, hours, goal, goalText, ...day }, readout) {
    const scrub = scrubOf("Moment of the day", { max: points.length - 1,
        value: points.length - 1 }, (index) => go(index, true));
    const box = el("div.plot.stairs", scrub);
    const chart = new Chart(box, {
        ...day, from: 0, to: end, low: 0, high: top, head: 12, foot: 26,
        times: ({ left, right }) =>
            hours.filter((_, index) => right - left >= 400 || index % 2 === 0),
        draw: ({ x, y, left, right, bottom }) => {
            const stairs = (valueOf) => points.flatMap((point, index) =>
                [points[index - 1] ?? point, point].map((one) =>
                    [x(point.at), valueOf(one) === null ? null : y(valueOf(one))]));
            return [
                goal ? svg("path", { class: "goal", d: `M${left} ${y(goal)}H${right}` }) : null,
                goal ? svg("text", { x: left + 6, y: y(goal) - 6 }, goalText) : null,
                lineOf(stairs(({ shown }) => shown), "line", bottom),
                lineOf(stairs(({ shown, corrected }) => (shown === corrected ? null : corrected)),
                    "corrected"),
                points.filter(({ mark }) => mark !== null).map(({ at, shown, mark }) =>
                    svg("g", { transform: `translate(${x(at) - 9} ${y(shown) - 8})` },
                        drawn(mark)))];
        },
    });
    const go = (index, isByKeys) => {
        const { at, shown, text } = points[index] ?? {};
        const half = (chart.to - chart.from) / 2;
        if (isByKeys && (at < chart.from || at > chart.to)) chart.show(at - half, at + half);
        chart.point([at, shown]);
        setText(readout, text);
        if (text) setAttribute(scrub, "aria-valuetext", text);
        if (text) scrub.value = index;
    };
    const pointed = (event) => {
        const at = chart.momentOf(event);
        const index = Math.max(0, lastUntil(points, at, (one) => one.at));
        go(points[index + 1]?.at - at < at - points[index].at ? index + 1 : index);
    };
    box.addEventListener("pointermove", pointed);
    box.addEventListener("pointerdown", pointed);
    box.addEventListener("pointerleave", () => go(-1));
    zoomBy(chart, scrub);
    return box;
}

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

function stepsCard({ rows, first, more: shown, others }, page) {
    const items = el("ol", (page.isWhole ? rows : rows.slice(0, first)).map(stepRow));
    const node = card("Each step explained", "Each step", "The largest of three is shown", items);
    node.classList.add("steps");
    if (!page.isWhole && rows.length > first) {
        const more = el("button.btn.plain", {
            type: "button",
            onclick: () => {
                page.isWhole = true;
                more.remove();
                const rest = rows.slice(first).map(stepRow);
                for (const row of rest) items.append(row);
                rest[0].querySelector("a").focus();
            },
        }, shown);
        node.append(more);
    }
    if (others) node.append(el("p.note.others", ...codes(others)));
    return node;
}

function stepRow({ kind, at, time, title: heading, sentence, position, link, operands, way,
    moved, after }) {
    return el("li.step",
        el("time", { datetime: at }, time),
        el("span.pin", { "aria-hidden": "true" }, shape(kind)),
        el("div.body", el("h3", heading),
            el("p.what", ...codes(sentence), " ",
                el("a", { href: `#/log/${position}`, "aria-label": link }, "In the log"))),
        operands.length === 0 ? null : el("dl.ops", operands.map(({ name: label, value, note, won }) =>
            el("div", { class: won ? "won" : null },
                el("dt", label, won ? unseen(", won") : null), el("dd", value),
                note ? el("dd.note", note) : null))),
        el("p.move", el("span", { class: way }, moved), el("small", after)));
}
