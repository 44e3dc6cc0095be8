// The charts: dygraphs, which paints on a canvas. Colours are read from the tokens by a probe, and
// a chart is repainted when the theme changes. Its legend would write style attributes into
// HTML, which the policy forbids: there is a line of our own that follows the pointer.

import { el, setText } from "./dom.js";
import { isPaper, paperEvents } from "./paper.js";
import { missing } from "./parts.js";

/** Undefined on a machine without the library: then a note stands in place of each chart. */
const Dygraph = globalThis.Dygraph;
if (Dygraph) {
    // Even unseen, its legend measures itself with a style attribute.
    Dygraph.PLUGINS = Dygraph.PLUGINS.filter((plugin) => plugin !== Dygraph.Plugins.Legend);
}

const dark = matchMedia("(prefers-color-scheme: dark)");

/** A token's colour as the canvas understands it. */
export function colour(token) {
    const probe = el("i", { hidden: true });
    probe.style.setProperty("color", `var(--${token})`);
    document.body.append(probe);
    const value = getComputedStyle(probe).color;
    probe.remove();
    return value;
}

/**
 * A chart that can be repainted. `make(colour)` gives rows and options; `tell(x, points)`, what
 * is below while somebody points at it, is optional.
 */
export class Chart {
    constructor(box, label, make, readout) {
        if (!Dygraph) {
            box.append(missing("Charts need", "libjs-dygraphs"));
            return;
        }
        this.plane = el("div", { role: "img", "aria-label": label });
        this.readout = readout;
        this.make = make;
        box.append(this.plane);
        this.paint = () => this.#paint();
        dark.addEventListener("change", this.paint);
        for (const name of paperEvents) addEventListener(name, this.paint);
        this.watch = new MutationObserver(this.paint);
        this.watch.observe(document.documentElement, { attributeFilter: ["data-theme"] });
        this.#paint();
    }

    #paint() {
        this.graph?.destroy();
        const { rows, options, tell } = this.make(colour);
        const common = {
            legend: "never", axisLineColor: colour("line-strong"), gridLineColor: colour("line"),
            gridLineWidth: 1, drawHighlightPointCallback: () => {}, rightGap: 8, xRangePad: 0,
            axisLabelFontSize: 12, connectSeparatedPoints: false, highlightCircleSize: 0,
        };
        if (tell && this.readout) {
            common.highlightCallback = (_, x, points, row) =>
                setText(this.readout, tell(x, points, row));
            common.unhighlightCallback = () => setText(this.readout, "");
        }
        this.graph = new Dygraph(this.plane, rows, { ...common, ...options });
        if (isPaper()) this.#copy();
        this.painted?.();
    }

    /** Chromium prints what a canvas was drawn last, and of many drawings only the end: a copy. */
    #copy() {
        for (const canvas of this.plane.querySelectorAll("canvas")) {
            if (canvas.width === 0 || canvas.height === 0) continue;
            const copy = canvas.cloneNode();
            copy.getContext("2d").drawImage(canvas, 0, 0);
            canvas.replaceWith(copy);
        }
    }

    destroy() {
        if (!this.plane) return;
        dark.removeEventListener("change", this.paint);
        for (const name of paperEvents) removeEventListener(name, this.paint);
        this.watch.disconnect();
        this.graph.destroy();
    }
}

export const font = (element) => `12px ${getComputedStyle(element).fontFamily}`;

/** Minutes between two labels of an axis of time. */
const steps = [1, 2, 5, 10, 20, 30, 60, 120, 180, 360, 720, 1_440];

/**
 * Labels of an axis in milliseconds, so that each has about 90 pixels. `clock` has what the
 * walker's clock showed each few minutes: `{from, minute, stepMinutes, texts}`.
 */
export function timeTicks({ from: first, minute, stepMinutes, texts }) {
    return (from, to, pixels) => {
        const room = Math.max(2, Math.floor(pixels / 90));
        const every = steps.find((step) => step >= stepMinutes
            && (to - from) / (step * 60_000) <= room) ?? 1_440;
        const found = [];
        texts.forEach((label, index) => {
            const v = first + index * stepMinutes * 60_000;
            // A label at the very edge would cover the other axis.
            if ((minute + index * stepMinutes) % every !== 0 || v > to
                || v - from <= every * 7_500) return;
            found.push({ v, label });
        });
        return found;
    };
}

/** What that clock showed at a moment. */
export const clockAt = ({ from, stepMinutes, texts }, at) =>
    texts[Math.floor((at - from) / (stepMinutes * 60_000))] ?? texts.at(-1);

export function ring(context, x, y, radius, fill, stroke) {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = fill;
    context.fill();
    context.lineWidth = 2;
    context.strokeStyle = stroke;
    context.stroke();
}

/** The staircase of a day: `{points, end, top, ticks, hours, goal, goalText, label}`. */
export function stairChart(box, day, readout) {
    const { points } = day;
    const rows = points.map(({ at, shown, corrected, mark }) =>
        [at, shown, shown === corrected ? null : corrected, mark === null ? null : shown]);
    const differs = points.some(({ shown, corrected }) => shown !== corrected);
    const make = (paint) => ({
        rows,
        tell: (_, __, row) => points[row]?.text ?? "",
        options: {
            labels: ["time", "Shown", "Corrected", "mark"], stepPlot: true,
            valueRange: [0, day.top * 1.04], dateWindow: [0, day.end * 1.001],
            strokeWidth: 2.25, fillAlpha: .11,
            colors: [paint("accent"), paint("ink-2"), paint("accent")],
            series: {
                Shown: { fillGraph: true },
                Corrected: {
                    strokePattern: [4, 4], strokeWidth: differs ? 1.5 : 0, fillGraph: false,
                },
                mark: {
                    strokeWidth: 0, drawPoints: true, pointSize: 5,
                    drawPointCallback: stairMark(points, paint),
                },
            },
            underlayCallback: (context, area, graph) =>
                paintGoal(context, area, graph, day.goal, paint, day.goalText),
            axes: {
                x: {
                    ticker: (_, __, pixels) =>
                        day.hours.filter((_, index) => pixels >= 460 || index % 2 === 0),
                    drawGrid: false, axisTickSize: 8,
                },
                y: { ticker: () => day.ticks, axisLabelWidth: 46 },
            },
        },
    });
    return new Chart(box, day.label, make, readout);
}

function stairMark(points, paint) {
    return (graph, _, context, x, y, __, ___, row) => {
        const kind = points[row].mark;
        if (kind === "kept") {
            ring(context, x, y, 5, paint("surface"), paint("accent"));
            return;
        }
        const shape = kind === "health" ? [[0, -7], [7, 0], [0, 7], [-7, 0]]
            : [[-5, -5], [5, -5], [5, 5], [-5, 5]];
        context.beginPath();
        shape.forEach(([dx, dy], index) =>
            (index === 0 ? context.moveTo(x + dx, y + dy) : context.lineTo(x + dx, y + dy)));
        context.closePath();
        context.fillStyle = paint(
            kind === "health" ? "c-distance" : kind === "fell" ? "fault" : "caution");
        context.fill();
        context.lineWidth = 2;
        context.strokeStyle = paint("surface");
        context.stroke();
    };
}

function paintGoal(context, area, graph, goal, paint, text = "") {
    if (!goal) return;
    const y = graph.toDomYCoord(goal);
    context.beginPath();
    context.setLineDash([2, 5]);
    context.moveTo(area.x, y);
    context.lineTo(area.x + area.w, y);
    context.strokeStyle = paint("ink-3");
    context.lineWidth = 1;
    context.stroke();
    context.setLineDash([]);
    if (text === "") return;
    context.font = font(document.body);
    context.fillStyle = paint("ink-3");
    context.textAlign = "left";
    context.fillText(text, area.x + 6, y - 6);
}
