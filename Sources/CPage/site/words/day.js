// The words of a day's audit: what happened, then why the count moved or did not.

import { clock, count, counted, duration } from "../words.js";

export const causes = {
    observer: "Health store changed",
    foreground: "Page opened",
    rollover: "New day",
    manual: "You refreshed",
    start: "Pulselog started",
    correction: "You corrected",
    pedometer: "Pedometer",
    setAside: "Set aside",
};

/**
 * The changes as rows, newest first: pedometer readings that follow each other become one row.
 * A row is `{change, first, readings, kind}`; kind is stair, health, kept, fix, none or fell.
 */
export function rows(changes) {
    const list = [];
    for (const change of changes) {
        const last = list.at(-1);
        const fell = change.after < change.before;
        const near = last && Date.parse(change.at) - Date.parse(last.change.at) < 600_000;
        if (last?.kind === "stair" && change.cause === "pedometer" && near && !fell) {
            last.change = change;
            last.readings += 1;
            continue;
        }
        list.push({ change, first: change, readings: 1, kind: fell ? "fell" : kindOf(change) });
    }
    return list.reverse();
}

function kindOf(change) {
    if (change.cause === "pedometer") return "stair";
    if (change.cause === "correction") return "fix";
    if (change.winner === "health" && change.after > change.before) return "health";
    if (change.winner !== null && change.health !== null) return "kept";
    return "none";
}

export const titleOf = (row) =>
    (row.kind === "fell" ? "The count fell" : causes[row.change.cause] ?? "Changed");

/** Who counted, or reported the total; a space after it. */
export function whoOf({ countedBy, reportedBy }) {
    if (countedBy) return `Counted by ${countedBy}. `;
    return reportedBy ? `Reported by ${reportedBy}. ` : "";
}

/** Why the count moved, or did not. */
export function whyOf(row) {
    const { change, first } = row;
    const here = change.baselinePlusDelta;
    if (row.kind === "fell") {
        return `Position ${count(change.position)} shows ${count(change.after)} after `
            + `${count(change.before)}. Nothing in the log allows this.`;
    }
    if (row.kind === "stair") {
        const span = Date.parse(change.at) - Date.parse(first.at);
        const steps = counted(change.after - first.before, "step");
        if (row.readings === 1) return `${steps} in one reading.`;
        return `${steps} in ${duration(span)} and ${counted(row.readings, "reading")}.`;
    }
    if (change.setAside) return whySetAside(change.setAside);
    if (row.kind === "fix") return whyCorrected(change, row.correction);
    if (change.cause === "rollover") return "A new day: the count starts at 0.";
    if (change.health === null) {
        return change.cause === "start"
            ? startWords(change)
            : "No health store sent a total. The count stays as it was.";
    }
    if (row.kind === "health") {
        const more = change.after - (here ?? change.before);
        const end = change.cause === "observer" ? " The phone saw those; this count follows." : "";
        return `It reported ${count(change.health)}, which is ${count(more)} more than was counted `
            + `here.${end}`;
    }
    const behind = change.after - change.health;
    return behind > 0 ? `It was ${count(behind)} behind. The count stays as it was.`
        : "It reported what was counted here. The count stays as it was.";
}

function whySetAside({ kind, steps, position }) {
    const what = kind === "total" ? `A total of ${count(steps)}: nobody walks that in a day.`
        : kind === "fall" ? `A reading of ${counted(steps, "step")}, fewer than before.`
            : `${counted(steps, "step")} in one reading: more than anyone could walk in that time.`;
    return `${what} It counts nothing; \`pulselog steps take ${position}\` takes it in.`;
}

function startWords(change) {
    return change.after === 0 ? "Nothing is recorded for this day yet. The count starts at 0."
        : `No health store sent a total; the log itself accounts for ${count(change.after)}.`;
}

function whyCorrected(change, difference) {
    const reason = change.reason ? `“${change.reason}” ` : "";
    const moved = difference == null ? "The corrected figure was changed."
        : difference < 0
            ? `${counted(-difference, "step")} taken off the corrected figure.`
            : `${counted(difference, "step")} added to the corrected figure.`;
    return `${reason}${moved} The count shown stays.`;
}

/** How much the corrected figure moved by itself at each correction; the rows are newest first. */
export function addCorrections(list) {
    for (let index = 0; index < list.length; index += 1) {
        const row = list[index];
        if (row.kind !== "fix") continue;
        const before = list[index + 1]?.change.corrected ?? row.change.before;
        row.correction = row.change.corrected - before;
    }
    return list;
}

/** One sentence for the big number. */
export function sentenceOf(changes, offset) {
    const last = changes.findLast((change) => change.after !== change.before);
    if (!last) return "No step was counted on this day.";
    const time = clock(last.at, offset);
    const total = counted(last.after, "step");
    if (last.winner === "health") {
        const here = last.baselinePlusDelta ?? last.before;
        return `${total} since ${time}, when your health store reported ${count(last.health)}: `
            + `${count(last.after - here)} more than the ${count(here)} counted here.`;
    }
    if (last.cause === "pedometer") {
        return `${total} since ${time}, when your pedometer last moved.`;
    }
    return `${total} since ${time}.`;
}

/** What the certificate says: a title and a sentence. */
export function certificateWords(certificate, changes) {
    if (certificate?.holds) {
        const number = changes.length;
        return {
            title: "Never fell",
            sentence: (number === 1 ? "The one change was checked"
                : `All ${count(number)} changes were checked`)
                + " by a second calculation that shares no code with the first.",
        };
    }
    return {
        title: "Not certified",
        sentence: certificate?.message ?? "The second calculation gives other figures.",
    };
}

/** The corrected figure, in words. */
export function correctedWords(day, changes, offset) {
    const corrections = changes.filter((change) => change.cause === "correction");
    const difference = day.corrected - day.displayed;
    const what = difference < 0 ? `${count(-difference)} taken off`
        : difference > 0 ? `${count(difference)} added` : "Nothing changed in sum";
    const when = corrections.length === 1 ? ` at ${clock(corrections[0].at, offset)}`
        : corrections.length > 1 ? ` by ${counted(corrections.length, "correction")}` : "";
    return `${what}${when}. History and trends use this figure.`;
}
