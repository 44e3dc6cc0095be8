// After: one walk, looked back at. Figures, route with heat-map, heart rate, zones, variability,
// splits. What was not recorded is said in a sentence and never drawn as 0.

import { api, Refusal } from "../api.js";
import { el, replace, svg, unseen } from "../dom.js";
import { bandsOf, heartChart } from "../heart-chart.js";
import { icon } from "../icons.js";
import { card, codes, figure, head } from "../parts.js";
import { routeCard } from "./route.js";
import { splitsCard } from "./splits.js";
import {
    clock, clockSeconds, count, dateOf, duration, goalOf, goalText, kilocalories, kilometres,
    longDate, measuresOf, pace, sentences, zonesOf,
} from "../words.js";

export const name = "after";
export const title = "Walk";
export const isStage = false;

export function mount(main, { parameters, entitle, refused }) {
    const made = [];
    let gone = false;
    main.append(el("p.quiet", sentences.opening));
    api.session(parameters[0]).then((session) => {
        if (gone) return;
        draw(main, session, made);
        entitle(main.querySelector("h1").textContent);
    }).catch((error) => {
        if (!gone) refused(error);
    });
    return {
        unmount() {
            gone = true;
            for (const thing of made) thing.destroy();
        },
    };
}

function draw(main, session, made) {
    const offset = session.offsetMinutes;
    const hasHeart = (session.heartRate?.samples ?? 0) > 0;
    const hasRoute = (session.track ?? []).length > 1;
    const left = el("div");
    const right = el("div");
    const grid = el("div.grid.cols", left, right);
    const date = dateOf(session.startedAt, offset);
    replace(main,
        head(`${longDate(date)}, ${clock(session.startedAt, offset)}`, endWords(session),
            el("a.btn", { href: `#/log/${session.position}` }, icon("log"), "In the log"),
            el("a.btn", {
                href: `/api/sessions/${session.position}`, download: `walk-${date}.json`,
                title: sentences.export,
            }, icon("export"), "Export")),
        session.simulated ? el("p.note", sentences.madeUp) : null,
        el("dl.figures.lead", leadFigures(session)), grid);
    if (hasRoute) left.append(routeCard(session, hasHeart, made));
    left.append(heartCard(session, hasHeart, made));
    if (session.markList.length > 0) left.append(marksCard(session));
    if (hasHeart) right.append(meansCard(session), zonesCard(session));
    if (hasHeart && session.rr?.count > 0) right.append(variabilityCard(session.rr));
    if (session.splits.length > 0) grid.append(splitsCard(session));
}

function marksCard(session) {
    const start = Date.parse(session.startedAt);
    return card("Marks", "Marks", null, el("ul.rows.marks", session.markList.map((mark, index) =>
        el("li",
            el("time.quiet", clock(start + mark.elapsedMilliseconds, session.offsetMinutes)),
            el("span.grow", mark.text || `Mark ${index + 1}`),
            el("a", {
                href: `#/log/${mark.position}`, "aria-label": `Mark ${index + 1} in the log`,
            }, "In the log")))));
}

/** "Ended 10:12. Goal reached: 6,000 steps." */
function endWords(session) {
    const ended = session.endedAt
        ? `Ended ${clock(session.endedAt, session.offsetMinutes)}.` : "Still open.";
    const goal = goalOf(session);
    if (goal.kind === "none") return ended;
    return `${ended} Goal ${goal.reached ? "reached" : "not reached"}: ${goalText(goal)}.`;
}

function leadFigures(session) {
    const isAssumed = session.weightAssumed ? sentences.weightAssumed : null;
    const { steps, energy, distance } = measuresOf(session);
    return [
        figure("Distance", "distance", "c-distance", kilometres(distance), "km"),
        figure("Active", "time", "c-time", duration(session.activeMilliseconds)),
        figure("Steps", "steps", "c-today", count(steps)),
        figure("Energy", "energy", "c-energy", kilocalories(energy), "kcal",
            isAssumed),
        figure("Pace", "walk", "", pace(distance, session.activeMilliseconds),
            "/km"),
        figure("Paused", "pause", "", duration(session.pausedMilliseconds)),
    ];
}

const accountWords = [
    ["freshMilliseconds", "measured", ""], ["heldMilliseconds", "held", ""],
    ["silentMilliseconds", "silent", ""], ["noContactMilliseconds", "no contact", "sw caution"],
    ["disconnectedMilliseconds", "disconnected", "sw"], ["pausedMilliseconds", "paused", "sw"],
];

function heartCard(session, hasHeart, made) {
    if (!hasHeart) {
        const strap = session.contactlessStrap;
        return card("Heart rate over time", "Heart rate", null,
            el("p.none", icon("heart"),
                ...codes(strap ? sentences.contactless(strap) : sentences.noHeart)));
    }
    const { heartRate, accounting } = session;
    const plot = el("div.plot.heart");
    const readout = el("p.readout", { "aria-hidden": "true" });
    const parts = accountWords.filter(([key]) => accounting[key] >= 1_000)
        .map(([key, word, mark]) => el("span", mark ? el("i", { class: mark }) : null,
            el("strong", duration(accounting[key])), ` ${word}`));
    const account = el("p.account", parts.flatMap((part) => [part, " "]),
        el("span", "= ", el("strong", duration(session.elapsedMilliseconds)), " elapsed"));
    const range = `${heartRate.min} to ${heartRate.max} BPM`;
    const gaps = bandsOf(session);
    const lone = heartRate.max > heartRate.supportedMax
        ? session.samples.find((sample) => sample.position === heartRate.maxPosition) : null;
    const data = {
        samples: session.samples, min: heartRate.min, max: heartRate.max,
        start: Date.parse(session.startedAt), elapsed: session.elapsedMilliseconds,
        offset: session.offsetMinutes, limits: zonesOf(session).slice(1).map((zone) => zone.start),
        bands: gaps, lone: lone ? { at: lone.elapsedMilliseconds, bpm: lone.bpm } : null,
        raw: rawBytes, open: (position) => { location.hash = `#/log/${position}`; },
        marks: session.markList.map((mark) => ({ at: mark.elapsedMilliseconds, text: mark.text })),
    };
    queueMicrotask(() =>
        made.push(heartChart(plot, chartWords(session, gaps), data, readout)));
    return card("Heart rate over time", "Heart rate", range, plot, readout, account);
}

/** The bytes of an event as the strap sent them, for who points at its value. */
async function rawBytes(position) {
    try {
        const { events: [event] } = await api.events(position, 1);
        const bytes = event?.value?.match(/../g)?.join(" ") ?? "";
        return `bytes ${bytes} at position ${count(position)}`;
    } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return "";
    }
}

function chartWords(session, gaps) {
    const from = clock(session.startedAt, session.offsetMinutes);
    const until = session.endedAt ? ` to ${clock(session.endedAt, session.offsetMinutes)}` : "";
    const list = gaps.map((gap) => `${gap.name} ${gap.length}`).join(", ");
    return `Heart rate from ${from}${until}, from ${session.heartRate.min} to `
        + `${session.heartRate.max} beats per minute. ${list ? `Gaps: ${list}.` : "No gaps."}`;
}

function meansCard(session) {
    const { heartRate } = session;
    const value = (name, figureText, ...note) => el("div", el("dt", name), el("dd", figureText),
        el("dd.note", ...note));
    const isLone = heartRate.max > heartRate.supportedMax;
    const sample = session.samples.find(({ position }) => position === heartRate.maxPosition);
    const when = sample ? ` at ${clockSeconds(
        Date.parse(session.startedAt) + sample.elapsedMilliseconds, session.offsetMinutes)}` : "";
    return card("Mean and maximum heart rate", "Mean and maximum", "BPM",
        el("dl.means",
            value("Mean of the values", heartRate.mean ?? "–",
                `${count(heartRate.samples)} values, each counts once`),
            value("Mean over time", heartRate.timeWeightedMean ?? "–",
                "each second counts once")),
        el("dl.hi",
            value("Highest, supported", heartRate.supportedMax ?? "–",
                "another value within 5 s and 10 BPM"),
            value("Highest value", heartRate.max ?? "–",
                `${isLone ? "stood alone" : "was reached"}${when}. `,
                el("a", { href: `#/log/${heartRate.maxPosition}` }, "See it"))));
}

function zonesCard(session) {
    const zones = zonesOf(session);
    const times = zones.map((zone) => session.heartRate.zones[`${zone.key}Milliseconds`] ?? 0);
    const total = times.reduce((sum, time) => sum + time, 0);
    let at = 0;
    const parts = times.map((time, index) => {
        const share = total > 0 ? (100 * time) / total : 0;
        const part = svg("rect", {
            class: `z${index + 1}`, x: `${at.toFixed(2)}%`, y: 0, height: 16,
            width: `${Math.max(0, share - .35).toFixed(2)}%`,
        });
        at += share;
        return part;
    });
    return card("Zones", "Zones", `${duration(total)} with a heart rate`,
        svg("svg", { class: "zonebar", "aria-hidden": "true" }, parts),
        el("ul.zones", zones.map((zone, index) => el("li",
            el("i", { class: `dot z${index + 1}` }), el("span", zone.name),
            el("span", zone.from), el("strong", duration(times[index]))))));
}

const oneDecimal = (text) => (text == null ? "–" : Number(text).toFixed(1));

function variabilityCard(rr) {
    const clean = rr.filtered ?? {};
    const row = (label, key, unit) => el("tr", el("td", label),
        el("td", el("strong", oneDecimal(clean[key])), ` ${unit}`),
        el("td.quiet", `${oneDecimal(rr[key])} ${unit}`));
    return card("Heart-rate variability", "Heart-rate variability", null,
        el("table.table",
            el("thead", el("tr", el("th", { scope: "col" }, unseen("Measure")),
                el("th", { scope: "col" }, "Cleaned"), el("th", { scope: "col" }, "Raw"))),
            el("tbody", row("RMSSD", "rmssdMilliseconds", "ms"),
                row("SDNN", "sdnnMilliseconds", "ms"), row("pNN50", "pnn50Percent", "%"),
                el("tr", el("td", "Beats"), el("td", count(clean.count)),
                    el("td.quiet", count(rr.count))))),
        el("p.note", sentences.cleaned));
}
