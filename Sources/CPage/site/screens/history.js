// History: walks by week, days against the daily goal, and weeks. Its figures are the corrected
// ones, and say so.

import { api, Refusal } from "../api.js";
import { barChart } from "../chart.js";
import { button, el, replace, svg } from "../dom.js";
import { icon } from "../icons.js";
import { attempt, card, codes, figure, saidLine } from "../parts.js";
import {
    clock, count, counted, dateOf, dayAndMonth, duration, hoursMinutes, kilometres, measuresOf,
    sentences, shortDate, smallDate, whole,
} from "../words.js";
import { byWeek, lastWeeks, mondayOf, sumsOf, weekName } from "../weeks.js";

export const name = "history";
export const title = "History";
export const isStage = false;

const views = [["walks", "Walks"], ["days", "Days"], ["weeks", "Weeks"]];
const daysShown = 30;
const weeksShown = 12;
/** Of fewer days with steps no bar is cut. */
const fewestDays = 5;

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
    const { sessions } = await api.sessions();
    if (page.gone) return;
    if (sessions.length === 0) {
        replace(body, noWalks());
        return;
    }
    page.thumbs?.disconnect();
    page.thumbs = new Thumbs();
    const under = page.store.isWalking ? page.store.scene?.session?.position : null;
    // Only the scene tells whether somebody records a walk that has not ended.
    const left = page.store.leftOpen?.position;
    const open = sessions.filter((session) => session.position === left);
    const rest = sessions.filter((session) => !open.includes(session));
    const today = mondayOf(dateOf(Date.now(), sessions[0].offsetMinutes));
    replace(body, open.map((session) => openCard(page, session, again)),
        [...byWeek(rest)].flatMap(([monday, walks]) => {
            const sums = sumsOf(walks);
            return [
                el("div.wk", el("h2", weekName(monday, today)),
                    el("p.note", `${counted(sums.walks, "walk")}, `
                        + `${kilometres(sums.distance)} km`)),
                el("ul.card.walks", walks.map((walk) => walkRow(walk, under, page.thumbs))),
            ];
        }));
}

/** After a crash: the walker chooses. */
function openCard(page, session, again) {
    const said = saidLine();
    const offset = session.offsetMinutes;
    const when = `${dayAndMonth(dateOf(session.startedAt, offset))} at `
        + clock(session.startedAt, offset);
    const send = async (command) => {
        const answer = await attempt(said, () => page.store.command(command));
        if (!answer || page.gone) return;
        if (command === "continue") location.hash = "#/walk";
        else again();
    };
    return el("section.card.open", { "aria-label": "A walk was left open" },
        el("div", el("h2", "A walk was left open"),
            el("p", `It began on ${when}, and ${duration(session.activeMilliseconds)} of it were `
                + "recorded. Nothing recorded was lost."), said),
        el("div.acts", button("", () => send("continue"), "Continue it"),
            button("", () => send("end"), "End it there")));
}

function walkRow(session, under, thumbs) {
    const offset = session.offsetMinutes;
    const date = dateOf(session.startedAt, offset);
    const time = duration(session.activeMilliseconds);
    const isUnder = session.position === under;
    const { steps, distance } = measuresOf(session);
    const notes = [];
    if (isUnder) notes.push("under way");
    if (session.simulated) notes.push("simulated");
    if (session.source > 0) notes.push(`import ${session.source}`);
    if (session.goal?.reached) notes.push("goal reached");
    if (!(session.route?.fixes > 0)) notes.push("no position");
    if (!(session.heartRate?.samples > 0)) notes.push("no heart rate");
    const value = (text, unit, classes = "v") => el("span", { class: classes }, text,
        unit ? " " : null, unit ? el("small", unit) : null);
    const heart = session.heartRate?.samples > 0
        ? value(whole(session.heartRate.mean), "BPM", "v wide-only")
        : value("–", "", "v wide-only");
    return el("li", el("a.walk",
        { href: isUnder ? "#/walk" : `#/walks/${session.position}` },
        thumbs.make(session),
        el("div.t",
            el("h3", `${shortDate(date)}, ${clock(session.startedAt, offset)}`),
            el("p", el("span.narrow-only", notes.length > 0 ? `${time}, ` : time),
                notes.join(", "))),
        value(kilometres(distance), "km"), value(time, "", "v wide-only"),
        value(count(steps), steps === null ? "" : "steps", "v wide-only"), heart,
        icon("right", "i-s")));
}

/** Small routes, asked for when they come into view, one after the other. */
class Thumbs {
    #watch = new IntersectionObserver((entries) => this.#see(entries));
    #sessions = new Map();
    #queue = Promise.resolve();
    #stopped = false;

    make(session) {
        const node = svg("svg", { class: "thumb", viewBox: "0 0 52 52", "aria-hidden": "true" });
        if (session.route?.fixes > 1 && session.state === "ended") {
            this.#sessions.set(node, session.position);
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
            const { track } = await api.session(this.#sessions.get(node));
            if (track?.length > 1) node.append(svg("path", { d: thumbPath(track) }));
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            // The row says all that matters; its picture stays empty.
        }
    }
}

function thumbPath(track) {
    const every = Math.max(1, Math.floor(track.length / 90));
    const points = track.filter((_, index) => index % every === 0 || index === track.length - 1);
    const squeeze = Math.cos((track[0].latitudeE7 / 1e7) * (Math.PI / 180));
    const xs = points.map((point) => point.longitudeE7 * squeeze);
    const ys = points.map((point) => -point.latitudeE7);
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    const [wide, high] = [Math.max(...xs) - left, Math.max(...ys) - top];
    const scale = 34 / Math.max(wide, high, 1);
    const x = (value) => (26 + (value - left - wide / 2) * scale).toFixed(1);
    const y = (value) => (26 + (value - top - high / 2) * scale).toFixed(1);
    return points.map((_, index) => `${index === 0 ? "M" : "L"}${x(xs[index])} ${y(ys[index])}`)
        .join("");
}

// Days.

async function showDays(page, body) {
    const { days } = await api.days(daysShown);
    if (page.gone) return;
    if (days.length === 0) {
        replace(body, noWalks());
        return;
    }
    const goal = page.store.scene?.steps?.dailyGoal ?? null;
    const values = days.map((day) => day.corrected);
    const most = days[values.indexOf(Math.max(...values))];
    const fixed = days.filter((day) => day.corrected !== day.displayed).length;
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const plot = el("div.plot.days");
    const readout = el("p.readout", { "aria-hidden": "true" });
    const top = topOf(values);
    const cut = days.filter((day) => day.corrected > top);
    replace(body,
        el("dl.figures.sums",
            figure("A day, on average", null, "", count(Math.round(mean))),
            goal ? figure("Goal reached", null, "",
                String(values.filter((value) => value >= goal).length),
                `of ${counted(days.length, "day")}`) : null,
            figure("Most", null, "", count(most.corrected), smallDate(most.date)),
            figure("Corrected", null, "", String(fixed), fixed === 1 ? "day" : "days")),
        card(`Steps of the last ${days.length} days`, "Steps a day",
            `${dayAndMonth(days.at(-1).date)} to ${dayAndMonth(days[0].date)}`, plot, readout,
            daysKey(goal, fixed),
            el("p.note.after-key", "These figures are the corrected ones.", cut.map((day) =>
                ` The bar of ${dayAndMonth(day.date)} is cut: ${count(day.corrected)}.`))),
        daysTable(days, goal));
    page.chart?.destroy();
    page.chart = barChart(plot, `Steps of the last ${days.length} days`
        + `${goal ? ` against the daily goal of ${count(goal)}` : ""}; the table below has them.`, {
        bars: [...days].reverse().map((day) => ({
            value: day.corrected, ghost: day.displayed, met: goal === null || day.corrected >= goal,
            label: smallDate(day.date), day,
        })),
        goal, top, show: count,
        tell: (bar) => `${shortDate(bar.day.date)}, ${count(bar.value)} steps`,
    }, readout);
}

/** One day far above the others must not flatten them: its bar is cut, and said to be. */
function topOf(values) {
    const sorted = values.filter((value) => value > 0).sort((one, other) => other - one);
    const [most = 0, next = 0] = sorted;
    const high = sorted.length >= fewestDays && most > next * 1.6 ? next : most;
    return Math.max(4_000, Math.ceil((high * 1.1) / 4_000) * 4_000);
}

function daysKey(goal, fixed) {
    const square = (classes) => svg("svg", { class: "key-shape", "aria-hidden": "true" },
        svg("rect", { class: classes, x: .5, y: .5, width: 11, height: 11, rx: 3 }));
    return el("ul.key",
        goal ? [el("li", square("d met"), "Goal reached"),
            el("li", square("d"), "Below the goal")] : null,
        fixed > 0 ? el("li", square("fixd"), "Shown that day, before a correction") : null);
}

function daysTable(days, goal) {
    const rows = days.map((day) => el("tr",
        el("td", el("a", { href: `#/day/${day.date}` }, shortDate(day.date))),
        el("td", count(day.corrected)),
        el("td", day.corrected === day.displayed ? "" : `shown ${count(day.displayed)}`),
        el("td", goal && day.corrected >= goal ? "reached" : "")));
    return el("details.card.list", el("summary", "As a table"),
        table(["Day", "Steps", "Corrected", "Goal"], rows));
}

const table = (columns, rows) => el("table.table",
    el("thead", el("tr", columns.map((column) => el("th", { scope: "col" }, column)))),
    el("tbody", rows));

// Weeks.

async function showWeeks(page, body) {
    const { sessions } = await api.sessions();
    if (page.gone) return;
    if (sessions.length === 0) {
        replace(body, noWalks());
        return;
    }
    const ended = sessions.filter((session) => session.state === "ended");
    const weeks = lastWeeks(ended, weeksShown);
    const inThem = ended.filter((session) =>
        dateOf(session.startedAt, session.offsetMinutes) >= weeks.at(-1).monday);
    const sums = sumsOf(inThem);
    const plot = el("div.plot.weeks");
    const readout = el("p.readout", { "aria-hidden": "true" });
    const rows = weeks.filter((week) => week.walks > 0).map((week) => el("tr",
        [smallDate(week.monday), week.walks, kilometres(week.distance), hoursMinutes(week.active),
            count(week.steps)].map((text) => el("td", text))));
    replace(body,
        el("dl.figures.sums",
            figure("Walks a week", null, "", (sums.walks / weeksShown).toFixed(1)),
            figure("Distance a week", null, "", kilometres(sums.distance / weeksShown), "km"),
            figure("Active a week", null, "", hoursMinutes(sums.active / weeksShown), "h"),
            figure("Mean of the values", null, "", whole(sums.mean), "BPM")),
        el("div.grid",
            card("Active time a week", "Active time a week", `${weeksShown} weeks, hours`, plot,
                readout),
            rows.length === 0 ? null : card("Weeks", null, null,
                table(["Week of", "Walks", "km", "Active", "Steps"], rows))));
    page.chart?.destroy();
    page.chart = barChart(plot, `Active hours in each of the last ${weeksShown} weeks; the table `
        + "below has them.", {
        bars: [...weeks].reverse().map((week) => ({
            value: week.active / 3_600_000, met: true, label: smallDate(week.monday), week,
        })),
        goal: null, top: hoursTop(Math.max(...weeks.map((week) => week.active / 3_600_000))),
        show: (hours) => String(Number(hours.toFixed(2))),
        tell: ({ week }) => `Week of ${smallDate(week.monday)}: ${hoursMinutes(week.active)} h`,
    }, readout);
}

/** The top of an axis in hours that divides well into four. */
const hoursTop = (most) => [1, 2].find((top) => most <= top) ?? Math.ceil(most / 4) * 4;
