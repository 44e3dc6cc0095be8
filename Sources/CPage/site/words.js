// Every sentence and every number's format. Sentences end with a full stop, labels do not.
// The words of a day's audit are in words/day.js, those of the log's events in words/events.js.

const grouped = new Intl.NumberFormat("en-GB");

/** 6214 becomes "6,214"; nothing becomes a dash. */
export const count = (number) => (number == null ? "–" : grouped.format(number));

/** Milliseconds as "1:02:41" or "42:18"; whole seconds, cut off. */
export function duration(milliseconds) {
    if (milliseconds == null) return "–";
    const seconds = Math.floor(milliseconds / 1000);
    const hours = Math.floor(seconds / 3600);
    const minutes = Math.floor(seconds / 60) % 60;
    const two = (number) => String(number).padStart(2, "0");
    return hours > 0
        ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
        : `${minutes}:${two(seconds % 60)}`;
}

/** Milliseconds as hours and minutes, "4:06". */
export function hoursMinutes(milliseconds) {
    const minutes = Math.round(milliseconds / 60_000);
    return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Millimetres as kilometres, "3.16". */
export const kilometres = (millimetres) =>
    (millimetres == null ? "–" : (Math.floor(millimetres / 10_000) / 100).toFixed(2));

/** Thousandths of a kilocalorie as kilocalories. */
export const kilocalories = (calories) =>
    (calories == null ? "–" : count(Math.floor(calories / 1000)));

/** What nothing counted is not 0 but unknown: steps, energy and distance of a walk, or null. */
export function measuresOf(session) {
    const steps = session.steps?.session || null;
    return {
        steps, energy: steps === null ? null : session.energyCalories,
        distance: session.distanceMillimetres || null,
    };
}

/** Time per kilometre, "13:34". */
export function pace(millimetres, milliseconds) {
    if (!millimetres || !milliseconds) return "–";
    return duration((milliseconds / millimetres) * 1_000_000);
}

/** "21.60" of the server stays as it is; "121.99" for lists becomes "122". */
export const whole = (mean) => (mean == null ? "–" : String(Math.round(Number(mean))));

// Local times: by the offset that the log recorded if it is told, else by this machine's zone.

function shifted(instant, offsetMinutes) {
    const date = new Date(instant);
    const minutes = offsetMinutes ?? -date.getTimezoneOffset();
    return new Date(date.getTime() + minutes * 60_000);
}

const inUTC = (options) => new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options });
const longDay = inUTC({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
const shortDay = inUTC({ weekday: "short", day: "numeric", month: "short" });
const dayMonth = inUTC({ day: "numeric", month: "short" });
const dayLongMonth = inUTC({ day: "numeric", month: "long" });

/** "09:00" */
export const clock = (instant, offset) => shifted(instant, offset).toISOString().slice(11, 16);
/** "09:00:12" */
export const clockSeconds = (instant, offset) =>
    shifted(instant, offset).toISOString().slice(11, 19);
/** "09:00:12.345" */
export const clockExact = (instant, offset) =>
    shifted(instant, offset).toISOString().slice(11, 23);
/** "2026-03-01" */
export const dateOf = (instant, offset) => shifted(instant, offset).toISOString().slice(0, 10);
/** "Sunday 1 March 2026" of a date. */
export const longDate = (date) => longDay.format(new Date(date)).replaceAll(",", "");
/** "Sun 1 Mar" */
export const shortDate = (date) => shortDay.format(new Date(date)).replaceAll(",", "");
/** "1 Mar" */
export const smallDate = (date) => dayMonth.format(new Date(date));
/** "1 March" */
export const dayAndMonth = (date) => dayLongMonth.format(new Date(date));

/** "09:12" of a walk of today, "1 March, 09:12" of an older one. */
export function openSince(session) {
    const { startedAt, offsetMinutes: offset } = session;
    const date = dateOf(startedAt, offset);
    const at = clock(startedAt, offset);
    return date === dateOf(Date.now(), offset) ? at : `${dayAndMonth(date)}, ${at}`;
}

/** "1 walk", "2 walks" */
export const counted = (number, noun, plural = `${noun}s`) =>
    `${count(number)} ${number === 1 ? noun : plural}`;

// Zones, without holes.

const zoneNames = [
    ["resting", "Resting"], ["moderate", "Moderate"], ["vigorous", "Vigorous"],
    ["maximum", "Maximum"],
];

/** The four zones of a session, `{key, name, start, from}`, as its profile bounds them. */
export function zonesOf(session) {
    const { moderateFrom, vigorousFrom, maximumFrom } = session.heartRate.zones;
    const starts = [0, moderateFrom, vigorousFrom, maximumFrom].map(Number);
    return zoneNames.map(([key, name], index) => ({
        key, name, start: starts[index],
        from: index === 0 ? `below ${starts[1]}` : `from ${starts[index]}`,
    }));
}

/** The number of a heart rate's zone, 1 to 4; 0 for none. */
export const zoneOf = (bpm, zones) => (bpm == null ? 0
    : zones.filter((zone) => bpm >= zone.start).length);

export const zoneNumber = (key) => zoneNames.findIndex(([name]) => name === key) + 1;

// Goals.

export const goals = {
    steps: {
        name: "Steps", unit: "steps", step: 500, lowest: 500, highest: 100_000, initial: 6_000,
        presets: [2_000, 4_000, 6_000, 10_000],
        show: count,
        read: (text) => Number(text.replace(/[^\d]/g, "")),
        steer: "500 steps",
    },
    distance: {
        name: "Distance", unit: "kilometres", step: 500_000, lowest: 500_000,
        highest: 200_000_000, initial: 5_000_000,
        presets: [2_000_000, 3_000_000, 5_000_000, 10_000_000],
        show: (target) => String(Number((target / 1_000_000).toFixed(2))),
        read: (text) => Math.round(Number(text.replace(",", ".").replace(/[^\d.]/g, "")) * 1e6),
        steer: "half a kilometre",
    },
    duration: {
        name: "Time", unit: "minutes", step: 300_000, lowest: 300_000, highest: 86_400_000,
        initial: 2_700_000,
        presets: [1_200_000, 1_800_000, 2_700_000, 3_600_000],
        show: (target) => String(Math.round(target / 60_000)),
        read: (text) => Number(text.replace(/[^\d]/g, "")) * 60_000,
        steer: "5 minutes",
    },
};

/** A goal as the page counts it: what is left of a day's goal is a goal in steps. */
export const goalOf = (session) => (session.goal?.kind === "daily"
    ? { ...session.goal, kind: "steps" } : session.goal ?? { kind: "none" });

/** "6,000 steps", "5 kilometres", "45 minutes" */
export function goalText(goal) {
    const kind = goals[goal.kind];
    return kind ? `${kind.show(goal.target)} ${kind.unit}` : "none";
}

/** How much of a goal is done, in its own unit; the walk's amount where no goal is. */
export function amounts(session, goal) {
    if (goal?.kind === "distance") return session.distanceMillimetres ?? 0;
    if (goal?.kind === "duration") return session.activeMilliseconds ?? 0;
    return session.steps?.session ?? 0;
}

/** An amount in the form of its goal, for the big number. */
export function amountText(kind, amount) {
    if (kind === "distance") return kilometres(amount);
    if (kind === "duration") return duration(amount);
    return count(amount);
}

/** "of 6,000 steps" */
export function ofGoal(goal) {
    if (goal?.kind === "distance") return `of ${goals.distance.show(goal.target)} km`;
    if (goal?.kind === "duration") {
        const hours = goal.target / 3_600_000;
        return hours >= 3 && Number.isInteger(hours) ? `of ${hours} hours`
            : `of ${goals.duration.show(goal.target)} minutes`;
    }
    if (goal?.kind === "steps") return `of ${count(goal.target)} steps`;
    return "steps";
}

/** "1,782 to go" */
export function toGo(goal, amount) {
    const left = goal.target - amount;
    if (left <= 0) return "Goal reached";
    if (goal.kind === "distance") return `${(Math.ceil(left / 10_000) / 100).toFixed(2)} km to go`;
    if (goal.kind === "duration") return `${duration(left + 999)} to go`;
    return `${count(left)} to go`;
}

/** Half of a goal: "3,000", "2.5 km", "22:30". */
export function halfText(goal) {
    const half = goal.target / 2;
    if (goal.kind === "distance") return `${goals.distance.show(half)} km`;
    return goal.kind === "duration" ? duration(half) : count(Math.ceil(half));
}

/** The turn of an out-and-back walk. */
export function turnText(goal, amount) {
    const half = goal.target / 2;
    const at = halfText(goal);
    return amount >= half ? `Turned at ${at}` : `Turn at ${at}`;
}

// A strap.

export const signals = { strong: 3, good: 2, weak: 1, unknown: 0 };
export const strapName = (name) => (name && name.trim() !== "" ? name : "No name");

const gpsWords = { none: "No GPS", weak: "GPS weak", good: "GPS good" };
export const gpsText = (gps) => gpsWords[gps?.quality ?? "none"] ?? "No GPS";

/** What hinders Bluetooth: a sentence and, where there is one, the command that helps. */
export const bluetooth = {
    bluetoothOff: {
        short: "Bluetooth is off",
        sentence: "Bluetooth is off. Turn it on and your strap connects by itself.",
        command: "bluetoothctl power on",
    },
    noAdapter: {
        short: "No Bluetooth",
        sentence: "This machine has no usable Bluetooth adapter. Steps and route are "
            + "recorded without it.",
        command: "pulselog doctor",
    },
    bluetoothAway: {
        short: "Bluetooth not running",
        sentence: "The Bluetooth service is not running. Your strap connects once it is.",
        command: "systemctl start bluetooth",
    },
    denied: {
        short: "No permission",
        sentence: "You do not have permission to use Bluetooth.",
        command: "pulselog doctor",
    },
};

export const sentences = {
    shut: "Open the address that `pulselog serve` printed.",
    away: "Pulselog is not answering. Try again in a moment.",
    strangeAnswer: (status) => `Pulselog gave an unexpected answer (${status}).`,
    awayShort: "No answer from Pulselog. This is the last it sent.",
    ended: "Pulselog has ended. Nothing is being recorded; run “pulselog serve” to look back.",
    opening: "Loading.",
    elsewhere: "Another Pulselog is using the recorder. You can start a walk here when it ends.",
    elsewhereDevices: "Another Pulselog is using the recorder. You can pair straps here when it "
        + "ends.",
    stillOpen: (since) => `A walk from ${since} is still open.`,
    leftOpen: "Pulselog stopped while recording. Nothing that was recorded is lost.",
    pairing: (name) => `Pairing ${name}. It may take a minute.`,
    paired: (name) => `${name} is paired.`,
    beatHint: "At your own rate; otherwise every 1.3 s",
    pairHint: "Put it on first: most straps wake up on skin. The first one becomes your primary.",
    listening: (number) => (number === 0 ? "Listening. Nothing in range yet."
        : `Listening. ${counted(number, "strap")} in range.`),
    turnAt: (goal) => `Tells you to turn at ${halfText(goal)}`
        + (goal.kind === "steps" ? " steps" : ""),
    dailyLeft: (steps) => `Complete daily goal: ${count(steps)} to go`,
    dailyDone: "Daily goal complete",
    lost: "Heart rate lost. Reconnecting.",
    back: "Heart rate is back.",
    paused: "Paused.",
    resumed: "Recording again.",
    reached: "Goal reached.",
    turn: "Half of your goal: turn around now.",
    zone: (name) => `${name} heart rate.`,
    marked: "Marked.",
    markedWith: (text) => `Marked: ${text}`,
    simulated: "Nobody walks this: it counts in no day and no proof.",
    madeUp: "Nobody walked this. A simulation or a capture made it up; it is in no day, trend, "
        + "certificate or proof.",
    noHeart: "No strap was connected during this walk, so there is no heart rate to show. "
        + "What else was recorded is complete.",
    contactless: (strap) => `The strap ${strap} measured beats but never reported contact, so its `
        + "values do not count. If it was worn, `pulselog devices contact ignore "
        + `${strap}\` counts them from then on.`,
    heatOff: "Off. Choose what to show, or switch it on.",
    heatWithoutHeart: "Off. There is no heart rate in this walk; choose what else to show.",
    heatNone: "Nothing in this walk can be shown on the map.",
    cleaned: "Cleaned: a beat counts from 300 to 2,000 ms and within 20 % of the one before.",
    weightAssumed: "70 kg assumed",
    export: "The walk as JSON, with its values and its track.",
    noWalks: "Your first walk appears here when it ends. `pulselog import` brings in a log from "
        + "another machine.",
    noStrap: "No strap yet. Put yours on, then pick it from the list of what is in range. The "
        + "first one becomes your primary.",
    noPedometer: "No pedometer. A foot pod, a PineTime watch, or totals from a health store can "
        + "count your steps.",
    allListed: "Every device that is heard is listed. Pairing looks at what it offers.",
    onlyOurs: "Straps and pedometers are listed, nothing else. Most straps wake up when they "
        + "touch skin: put it on and wet the contacts.",
    listeningOff: "Listening starts when Bluetooth is on.",
    listeningLater: "Pulselog does not look for straps during a walk. Listening starts when it "
        + "ends.",
    listeningOpen: "A walk is still open. Listening starts when it ends.",
    logLead: "Everything that came in, in order. Move the slider to see what was known at that "
        + "moment.",
    logBad: (position) => `This log is not as it was signed from position ${position} on. `
        + "`pulselog log verify` says why.",
    logChecked: (done, all, time, date) => `Compared with its seals at ${time}, ${date}: ${done} of `
        + `${all} blocks so far, all as they were signed.`,
    emptyLog: "Nothing has been recorded yet.",
};
