// Weeks of walks: groups by local week, and their sums.

import { dateOf, smallDate } from "./words.js";

const day = 86_400_000;

/** The Monday of a date, as a date. */
export function mondayOf(date) {
    const time = Date.parse(date);
    const weekday = (new Date(time).getUTCDay() + 6) % 7;
    return new Date(time - weekday * day).toISOString().slice(0, 10);
}

/** The Monday some weeks earlier. */
export const weeksBefore = (monday, number) =>
    new Date(Date.parse(monday) - number * 7 * day).toISOString().slice(0, 10);

/** "This week", "Last week", "Week of 9 Feb" */
export function weekName(monday, thisMonday) {
    if (monday === thisMonday) return "This week";
    if (monday === weeksBefore(thisMonday, 1)) return "Last week";
    return `Week of ${smallDate(monday)}`;
}

/** Walks by their week, in the order in which they come. */
export function byWeek(sessions) {
    const weeks = new Map();
    for (const session of sessions) {
        const monday = mondayOf(dateOf(session.startedAt, session.offsetMinutes));
        if (!weeks.has(monday)) weeks.set(monday, []);
        weeks.get(monday).push(session);
    }
    return weeks;
}

const total = (sessions, value) =>
    sessions.reduce((sum, session) => sum + (value(session) ?? 0), 0);

/** The sums of some walks; what was imported or simulated the walker did not walk. */
export function sumsOf(sessions) {
    const walks = sessions.filter((session) => session.source === 0 && !session.simulated);
    const beats = total(walks, (walk) => walk.heartRate?.samples);
    return {
        walks: walks.length,
        distance: total(walks, (walk) => walk.distanceMillimetres),
        active: total(walks, (walk) => walk.activeMilliseconds),
        steps: total(walks, (walk) => walk.steps?.session),
        mean: beats > 0 ? total(walks, (walk) => walk.heartRate?.sum) / beats : null,
    };
}

/** The last weeks, newest first: `{monday, …sums}`; weeks without a walk are there with 0. */
export function lastWeeks(sessions, number) {
    const weeks = byWeek(sessions);
    const thisMonday = mondayOf(dateOf(Date.now(), sessions[0]?.offsetMinutes));
    return Array.from({ length: number }, (_, ago) => {
        const monday = weeksBefore(thisMonday, ago);
        return { monday, ...sumsOf(weeks.get(monday) ?? []) };
    });
}
