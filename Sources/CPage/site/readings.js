// What the session object of the server leaves out and the log has: where marks were set, and steps
// and beats over time. A walk's part of the log is read in pages, and only so far.

import { api } from "./api.js";
import { bytesOf, decodeHeartRate } from "./decode.js";

const pageEvents = 500;
/** A walk of some three hours; of a longer one the rest is not read. */
const mostPages = 80;

/**
 * Reads a walk's events: `{marks: [{position, elapsedMilliseconds, text}], steps:
 * [{elapsedMilliseconds, moving, steps}], beats: [{elapsedMilliseconds, ticks}], isWhole}`;
 * `moving` leaves out pauses. With `only: "marks"` it stops at the last mark.
 */
export async function readWalk(session, { only = null, signal } = {}) {
    const fold = new Readings();
    let from = session.position;
    for (let page = 0; page < mostPages && !fold.isOver; page += 1) {
        const { events } = await api.events(from, pageEvents, signal);
        for (const event of events) fold.take(event);
        if (events.length < pageEvents) fold.isOver = true;
        if (only === "marks" && fold.marks.length >= session.marks) break;
        from += events.length;
    }
    return { marks: fold.marks, steps: fold.steps, beats: fold.beats, isWhole: fold.isOver };
}

/** A fold over a walk's events, from its start to its end. */
class Readings {
    marks = [];
    beats = [];
    isOver = false;
    #start = null;
    #paused = false;
    #pausedAt = 0;
    #pausedFor = 0;
    #counters = new Map();

    /** Steps over time by the pedometer that counted most. */
    get steps() {
        const lists = [...this.#counters.values()].map((counter) => counter.list);
        return lists.sort((one, other) => sum(other) - sum(one))[0] ?? [];
    }

    take(event) {
        if (this.isOver) return;
        // A log may hold what other machines recorded, in between.
        if (this.#start !== null && event.source !== this.#start.source) return;
        switch (event.kind) {
        case "sessionStarted":
            this.#start ??= event;
            break;
        case "sessionEnded":
            this.isOver = true;
            break;
        case "sessionPaused":
        case "sessionResumed":
            this.#pause(event.kind === "sessionPaused", this.#elapsed(event));
            // A pause ends the walk's pedometer stream: the next reading begins another one.
            for (const counter of this.#counters.values()) counter.last = null;
            break;
        case "sessionMarked":
            this.marks.push({
                position: event.position, elapsedMilliseconds: this.#elapsed(event),
                text: event.text ?? "",
            });
            break;
        case "pedometerRead":
            this.#count(event);
            break;
        case "characteristicNotified":
            this.#beat(event);
            break;
        default:
            break;
        }
    }

    /** Milliseconds since the start: by the boot clock within a boot, else by the wall clock. */
    #elapsed(event) {
        const start = this.#start ?? event;
        return event.bootNumber === start.bootNumber
            ? event.bootMilliseconds - start.bootMilliseconds
            : event.wallMilliseconds - start.wallMilliseconds;
    }

    #pause(isPaused, at) {
        if (isPaused && !this.#paused) this.#pausedAt = at;
        if (!isPaused && this.#paused) this.#pausedFor += at - this.#pausedAt;
        this.#paused = isPaused;
    }

    #count(event) {
        const count = counterOf(event);
        if (count === null || this.#paused) return;
        const counter = this.#counters.get(event.device) ?? { last: null, list: [] };
        this.#counters.set(event.device, counter);
        const steps = counter.last === null ? 0 : Math.max(0, count - counter.last);
        counter.last = count;
        const elapsedMilliseconds = this.#elapsed(event);
        const moving = elapsedMilliseconds - this.#pausedFor;
        counter.list.push({ elapsedMilliseconds, moving, steps });
    }

    #beat(event) {
        if (event.characteristic !== "heartRateMeasurement" || this.#paused) return;
        const elapsedMilliseconds = this.#elapsed(event);
        for (const ticks of decodeHeartRate(event.value).intervals ?? []) {
            this.beats.push({ elapsedMilliseconds, ticks });
        }
    }
}

const sum = (list) => list.reduce((total, reading) => total + reading.steps, 0);

/** A cumulative count of steps, or null where the device tells a rate. */
export function counterOf(event) {
    if (event.form === "counter") return event.count ?? null;
    const bytes = bytesOf(event.value);
    return event.form === "infiniTimeStepCount" && bytes.length === 4
        ? bytes.reduceRight((total, byte) => total * 256 + byte, 0) : null;
}
