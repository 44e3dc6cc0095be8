// The calendar of a year: a cell a day, and below it, on the same axis, a bar a week. Cells are too
// small to be touched, so on a desk all of it is one slider, and on a phone months are links.

import { el, replace, setAttribute, svg } from "../dom.js";
import { linesOf } from "../parts.js";

const gutter = 46;
const barsHigh = 104;

/** The class of a day's cell; `which` is the measure that its colour shows. */
function kind(view, index, which) {
    const cell = view.calendar.cells[index];
    if (!cell) return "ahead";
    return cell.levels[which] === null ? view.search.isSearch ? "off" : "none"
        : `k${cell.levels[which]}`;
}

/** A day's cell with its signs; `isPlain` without what is around it. */
function cellOf(view, index, which, x, y, size, isPlain = false) {
    const shape = kind(view, index, which);
    const signs = view.calendar.cells[index]?.signs ?? [];
    const inset = shape === "none" || shape === "ahead" ? .75 : 0;
    const square = (out, classes) => svg("rect", { class: classes, x: x - out, y: y - out,
        width: size + 2 * out, height: size + 2 * out, rx: size / 4 + out });
    const isDim = ["off", "none", "k0", "k1", "k2"].includes(shape);
    return [
        square(-inset, `cell ${shape}`),
        signs.includes("met") ? svg("circle", { class: isDim ? "met low" : "met",
            cx: x + size / 2, cy: y + size / 2, r: Math.max(1.5, size * .14) }) : null,
        ...[["hit", .5, "hit"], ["hidden", 2, "put"], ["today", 2, "now"]]
            .filter(([sign]) => !isPlain && signs.includes(sign))
            .map(([, out, classes]) => square(out, classes)),
    ];
}

/** The key: what the colours and signs say. */
export function keyOf(view, which, isMonth) {
    const { legend, none, signs, metFrom } = view.measures[which];
    const entry = (text, ...shapes) => el("li",
        svg("svg", { viewBox: "0 0 14 14", "aria-hidden": "true" }, ...shapes), text);
    const square = (classes, inset = 0) => svg("rect", { class: classes, x: inset, y: inset,
        width: 14 - 2 * inset, height: 14 - 2 * inset, rx: 4 });
    const dot = () => svg("circle", { class: "met", cx: 7, cy: 7, r: 2 });
    const drawn = {
        none: () => [square("cell none", .75)],
        met: () => [square("cell k4"), dot()],
        today: () => [square("cell k1", 2.5), square("now", .5)],
        hidden: () => [square("put", 1)],
        hit: () => [square("cell k3"), square("hit", .5)],
        mean: () => [svg("path", { class: "mean", d: "M0 7H14" })],
    };
    return el("ul.key", { "aria-label": "Key" },
        none ? entry(none, square(`cell ${view.search.isSearch ? "off" : "k0"}`)) : null,
        legend.map((text, index) => entry(text, square(`cell k${index + 1}`),
            index >= (metFrom ?? Infinity) ? dot() : null)),
        signs.filter(({ key }) => !(isMonth && key === "mean"))
            .map(({ key, text }) => entry(text, ...drawn[key]())));
}

/** The sums of the weeks as bars, with the means of the months as lines across them. */
function bars(view, which, { left, pitch, top, high, width }) {
    const { weekday, weeks, cells } = view.calendar;
    const { ticks, top: most, weeks: sums, means } = view.measures[which];
    const y = (value) => top + high * (1 - Math.min(1, value / most));
    const room = pitch > 8 ? pitch - 3 : pitch - 1;
    return [
        linesOf(ticks, y, left, width),
        sums.map((sum, week) => {
            const r = Math.min(3, room / 2, y(0) - y(sum));
            return sum === 0 ? null : svg("path", {
                class: weeks[week].isPart ? "week part" : "week",
                d: `M${left + week * pitch} ${y(0)}V${y(sum) + r}q0 ${-r} ${r} ${-r}`
                    + `h${room - 2 * r}q${r} 0 ${r} ${r}V${y(0)}z`,
            });
        }),
        means.map((mean, month) => {
            if (mean === null) return null;
            const { start, days } = view.months[month];
            const x = (index) => left + pitch * (index + weekday) / 7;
            const end = Math.min(start + days, cells.length);
            return svg("path", { class: "mean", d: `M${x(start)} ${y(mean)}H${x(end)}` });
        }),
    ].flat(2);
}

/** The year on a desk, as one slider; `tell` shows what is under it, `open` opens a day. */
export function yearSlider(view, which, tell, open) {
    const { calendar, measures } = view;
    const { weekday, cells } = calendar;
    const columns = Math.ceil((weekday + calendar.days) / 7);
    const drawing = svg("svg", { "aria-hidden": "true" });
    const months = el("div.months");
    const strip = el("div.strip", {
        role: "slider", tabindex: "0", "aria-label": calendar.label, "aria-valuemin": 1,
        "aria-valuemax": cells.length,
    }, drawing);
    const place = (index) => [Math.floor((index + weekday) / 7), (index + weekday) % 7];
    let pitch = 20;
    let here = cells.length - 1;
    const mark = svg("rect", { class: "at" });
    function go(index) {
        here = Math.max(0, Math.min(cells.length - 1, index));
        const [column, row] = place(here);
        for (const [name, value] of [["x", gutter + column * pitch - 2], ["y", row * pitch - 2],
            ["width", pitch + 1], ["height", pitch + 1], ["rx", pitch / 4 + 2]]) {
            setAttribute(mark, name, value);
        }
        strip.setAttribute("aria-valuenow", here + 1);
        strip.setAttribute("aria-valuetext", cells[here].say.join(", "));
        tell(cells[here].say);
    }
    function draw() {
        const width = strip.clientWidth;
        if (width === 0) return;
        pitch = (width - gutter) / columns;
        const size = pitch - 3;
        const high = 7 * pitch;
        setAttribute(drawing, "viewBox", `0 0 ${width} ${high + 34 + barsHigh + 8}`);
        const x = (column) => gutter + column * pitch;
        replace(drawing,
            calendar.weekdays.map((name, row) => (row % 2 === 1 ? null
                : svg("text", { x: gutter - 7, y: row * pitch + size / 2 + 4,
                    "text-anchor": "end" }, name))),
            Array.from({ length: calendar.days }, (_, index) => {
                const [column, row] = place(index);
                return cellOf(view, index, which, x(column), row * pitch, size);
            }).flat(),
            view.months.slice(1).map(({ start }) => {
                const [column, row] = place(start);
                const edge = x(column) - 1.5;
                const step = row > 0 ? `V${row * pitch - 1.5}H${edge + pitch}` : "";
                return svg("path", { class: "edge", d: `M${edge} ${high - 1.5}${step}V-1.5` });
            }),
            svg("text", { class: "what", x: gutter, y: high + 22 }, measures[which].weeksName),
            bars(view, which, { left: gutter, pitch, top: high + 34, high: barsHigh, width }),
            mark);
        replace(months, view.months.map(({ key, name, short, start }, month) => {
            const [column, row] = place(start);
            const sum = measures[which].months[month];
            const label = el(sum === undefined ? "span.none" : "a",
                sum === undefined ? {} : { href: `#/history/${key}`,
                    "aria-label": `${name}, ${sum} ${measures[which].name}` },
                el("b", short), sum ? el("span", sum) : null);
            label.style.setProperty("left", `${x(column + (row > 3 ? 1 : 0))}px`);
            label.style.setProperty("width", `${pitch * 4}px`);
            return label;
        }));
        go(here);
    }
    const found = (event) => {
        const box = strip.getBoundingClientRect();
        const column = Math.floor((event.clientX - box.left - gutter) / pitch);
        const row = Math.floor((event.clientY - box.top) / pitch);
        const index = column * 7 + row - weekday;
        if (column < 0) return {};
        return row < 7 ? { index: index >= 0 && index < cells.length ? index : undefined }
            : { week: calendar.weeks[column] };
    };
    strip.addEventListener("pointermove", (event) => {
        const { index, week } = found(event);
        if (index !== undefined) go(index);
        else if (week) tell([week.say]);
    });
    strip.addEventListener("pointerleave", () => go(here));
    strip.addEventListener("click", (event) => {
        const { index } = found(event);
        if (index !== undefined) open(cells[index].date);
    });
    strip.addEventListener("keydown", (event) => {
        const month = view.months.findLastIndex(({ start }) => start <= here);
        const moves = {
            ArrowUp: here - 1, ArrowDown: here + 1, ArrowLeft: here - 7, ArrowRight: here + 7,
            PageUp: here - (view.months[month - 1]?.days ?? here),
            PageDown: here + view.months[month].days, Home: 0, End: cells.length - 1,
        };
        if (event.key === "Enter") open(cells[here].date);
        if (!(event.key in moves)) return;
        event.preventDefault();
        go(moves[event.key]);
    });
    return { nodes: [months, strip], draw };
}

/** The year on a phone: twelve small months, each a link, and the weeks below them. */
export function smallMonths(view, which) {
    const { measures, calendar } = view;
    const minis = el("div.minis", view.months.map(({ key, name, short, start, days }, month) => {
        const sum = measures[which].months[month];
        const first = (calendar.weekday + start) % 7;
        return el(sum === undefined ? "div.mini" : "a.mini",
            sum === undefined ? {} : { href: `#/history/${key}`,
                "aria-label": `${name}, ${sum} ${measures[which].name}` },
            el("p", el("b", short), sum ? el("span", sum) : null),
            svg("svg", { viewBox: "-2 -2 102 88", "aria-hidden": "true" },
                Array.from({ length: days }, (_, day) => cellOf(view, start + day, which,
                    (first + day) % 7 * 14 + 1, Math.floor((first + day) / 7) * 14 + 1, 12))
                    .flat()));
    }));
    const chart = svg("svg", { role: "img", "aria-label": measures[which].weeksName });
    const box = el("div.narrow-only", chart);
    const columns = Math.ceil((calendar.weekday + calendar.days) / 7);
    return {
        nodes: [minis, box],
        draw() {
            const width = box.clientWidth;
            if (width === 0) return;
            const pitch = (width - gutter) / columns;
            setAttribute(chart, "viewBox", `0 0 ${width} 150`);
            replace(chart, svg("text", { class: "what", x: 0, y: 10 }, measures[which].weeksName),
                bars(view, which, { left: gutter, pitch, top: 24, high: 104, width }),
                view.months.filter((_, month) => month % 2 === 0).map(({ short, start }) =>
                    svg("text", { x: gutter + pitch * (start + calendar.weekday) / 7, y: 146 },
                        short)));
        },
    };
}

/** One month, or the first weeks, large: each day is a link. */
export function largeMonth(view, which, { start, days, weeks, numbers }, tell) {
    const { calendar } = view;
    const first = (calendar.weekday + start) % 7;
    const day = (number) => {
        const index = start + number;
        const cell = calendar.cells[index];
        if (!cell) return el("span.dayc.ahead", el("span.n", numbers[number]));
        const say = () => tell(cell.say);
        const classes = ["dayc", cell.steps === null ? "gone" : "",
            cell.signs.includes("today") ? "today" : ""].join(" ");
        return el("a", { class: classes, href: `#/day/${cell.date}`,
            "aria-label": cell.say.join(", "), onfocus: say, onpointerenter: say },
        el("span.n", numbers[number],
            svg("svg", { class: "lv", viewBox: "0 0 12 12", "aria-hidden": "true" },
                cellOf(view, index, which, 0, 0, 12, true))),
        el("span.v", cell.steps ?? "–"), el("span.w", cell.distance ?? ""));
    };
    const rows = Array.from({ length: Math.ceil((first + days) / 7) }, (_, row) => [
        Array.from({ length: 7 }, (__, column) => {
            const number = row * 7 + column - first;
            return number < 0 || number >= days ? el("span.dayc.ahead") : day(number);
        }),
        el("p.wsum", weeks?.[row] ? [el("b", weeks[row].steps), el("span", weeks[row].distance)]
            : null),
    ]);
    return el("div.big", calendar.weekdays.map((name) => el("span.dow", name)),
        el("span.dow.sum", "Week"), rows.flat(2));
}
