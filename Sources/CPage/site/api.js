// The server's answers: fetch with errors that carry a sentence for people, and the event stream
// with resume. EventSource cannot say why it was refused and forgets where it was when it is made
// anew; so the stream is read by fetch.

import { sentences } from "./words.js";

/** A refusal. `code` is for programs, `message` is the sentence to show. */
export class Refusal extends Error {
    constructor(code, message, status, view = null) {
        super(message);
        this.name = "Refusal";
        this.code = code;
        this.status = status;
        this.view = view;
    }

    /** True when the page was opened without the address that the server printed. */
    get isShut() {
        return this.status === 401;
    }
}

/** What a refusal becomes where nothing depends on the answer: null. Other errors are thrown. */
export function unlessRefused(error) {
    if (!(error instanceof Refusal)) throw error;
    return null;
}

async function refusal(response) {
    try {
        const { error, view } = await response.json();
        // A phone that is no longer paired gets the page where it can be paired.
        if (error?.code === "notPaired") location.reload();
        if (response.status === 401) return new Refusal("shut", sentences.shut, 401);
        if (error && typeof error.message === "string") {
            return new Refusal(String(error.code), error.message, response.status, view);
        }
    } catch {
        // Not JSON: the status is all there is to report.
    }
    return new Refusal("status", sentences.strangeAnswer, response.status);
}

async function ask(path, options = {}) {
    let response;
    try {
        response = await fetch(path, { credentials: "same-origin", cache: "no-cache", ...options });
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new Refusal("away", sentences.away, 0);
    }
    if (!response.ok) throw await refusal(response);
    try {
        return await response.json();
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new Refusal("notJSON", sentences.strangeAnswer, response.status);
    }
}

const post = (value) => ({
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value),
});

const part = (value) => encodeURIComponent(value);

/** The walker's units, as the scene names them: of what is typed, and of what is proposed. */
let units = "km";

export const api = {
    /** A year and those of its walks that are looked for: `{year, text, from, …}`. */
    year: (asked) => ask(`/api/year?${Object.entries({ ...asked, units })
        .map(([name, value]) => `${name}=${part(value)}`).join("&")}`),
    years: () => ask("/api/years"),
    /** A measure of four weeks, three months, a year, or everything: `4w`, `3m`, `year`, `all`. */
    trends: (measure, span) =>
        ask(`/api/trends?measure=${part(measure)}&span=${part(span)}`),
    comparison: (position) => ask(`/api/sessions/${part(position)}/comparison`),
    records: () => ask("/api/records"),
    routes: () => ask("/api/routes"),
    session: (position) => ask(`/api/sessions/${part(position)}`),
    outline: (position) => ask(`/api/sessions/${part(position)}/outline`),
    day: (date) => ask(`/api/days/${part(date)}`),
    devices: () => ask("/api/devices"),
    profile: () => ask("/api/profile"),
    /** What can be chosen and typed, and names; it changes with the program and the units. */
    tables(wanted) {
        units = wanted;
        return ask(`/api/tables?units=${part(units)}`);
    },
    /** A goal by its target, by what was typed, or what is proposed. */
    goal: (kind, { target = "", typed = "" }) => ask(
        `/api/goal?kind=${part(kind)}&units=${part(units)}`
            + (target === "" ? `&typed=${part(typed)}` : `&target=${part(target)}`)),
    map: () => ask("/api/map"),
    log: (position, signal, since) => ask("/api/log" + (position == null ? ""
        : `?at=${part(position)}` + (since == null ? "" : `&since=${part(since)}`)), { signal }),
    /** Where in the log something is that was typed, a position or a time; or a moment is. */
    find: (text, near) => ask(`/api/log?find=${part(text)}&near=${part(near)}`),
    moment: (at, near) => ask(`/api/log?moment=${part(Math.max(0, at))}&near=${part(near)}`),
    /** What stands around a position: `all`, `walks` or `days`. */
    around: (position, show, signal) =>
        ask(`/api/log?around=${part(position)}&show=${part(show)}`, { signal }),

    phones: () => ask("/api/phones"),
    phoneCode: (right) => ask("/api/phones/code", post({ right })),
    phoneRights: (name, right) => ask("/api/phones/rights", post({ name, right })),
    revokePhone: (name) => ask("/api/phones/revoke", post({ name })),

    /** Sends a command; throws a Refusal with the sentence when it makes no sense. */
    command: (command, more = {}) => ask("/api/commands", post({ command, ...more })),
};

// The server sends a scene each second. Without one for this long the link counts as gone.
const silenceMilliseconds = 10_000;
// The server shows the state each second: after this long the link is no longer believed.
export const staleMilliseconds = 10_000;
const waits = [500, 1_000, 2_000, 4_000, 8_000];

/** Cuts a stream of text into messages, as the HTML standard (9.2.6) says. */
export class MessageReader {
    #rest = "";
    #event = "";
    #data = [];
    #id = null;

    /** Takes a piece of text and returns the messages that it completes. */
    take(text) {
        const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
        this.#rest = lines.pop();
        const messages = [];
        for (const line of lines) {
            if (line === "") {
                // By the standard a message without data isn't one; a reset still counts.
                if (this.#data.length > 0 || this.#event === "reset") {
                    messages.push({
                        event: this.#event || "message",
                        data: this.#data.join("\n"),
                        id: this.#id,
                    });
                }
                this.#event = "";
                this.#data = [];
                this.#id = null;
                continue;
            }
            const colon = line.indexOf(":");
            if (colon === 0) continue;
            const field = colon < 0 ? line : line.slice(0, colon);
            const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
            if (field === "event") this.#event = value;
            if (field === "data") this.#data.push(value);
            if (field === "id" && !value.includes("\0")) this.#id = value;
        }
        return messages;
    }
}

/** The stream of events and scenes; it resumes by itself, from where it was cut. */
export class EventStream {
    #lastID = null;
    #failures = 0;
    #pause = null;
    #goOn = () => {};
    #abort = null;
    #watch = 0;

    /**
     * `handlers`: log(event), scene(scene), track(news), reset() when the log is another one,
     * link("open" | "away", why it was refused), refused(Refusal).
     */
    constructor(handlers, path = "/api/events") {
        this.handlers = handlers;
        this.path = path;
        this.#run();
    }

    /** Lets go of the connection until `resume()`. */
    pause() {
        if (this.#pause !== null) return;
        this.#pause = new Promise((done) => { this.#goOn = done; });
        this.#abort?.abort();
    }

    /** Goes on after `pause()`, from where it was. */
    resume() {
        this.#pause = null;
        this.#goOn();
    }

    async #run() {
        for (;;) {
            await this.#pause;
            let sentence = "";
            try {
                await this.#readOnce();
            } catch (error) {
                if (error instanceof Refusal && error.isShut) {
                    this.handlers.refused(error);
                    return;
                }
                if (error instanceof Refusal) sentence = error.message;
            }
            clearTimeout(this.#watch);
            if (this.#pause !== null) continue;
            this.handlers.link("away", sentence);
            const wait = waits[Math.min(this.#failures, waits.length - 1)];
            this.#failures += 1;
            await new Promise((done) => setTimeout(done, wait));
        }
    }

    #heard() {
        clearTimeout(this.#watch);
        this.#watch = setTimeout(() => this.#abort.abort(), silenceMilliseconds);
    }

    async #readOnce() {
        this.#abort = new AbortController();
        this.#heard();
        const headers = { Accept: "text/event-stream" };
        if (this.#lastID !== null) headers["Last-Event-ID"] = this.#lastID;
        const response = await fetch(this.path, {
            headers, signal: this.#abort.signal, credentials: "same-origin", cache: "no-store",
        });
        if (!response.ok) throw await refusal(response);
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        const messages = new MessageReader();
        for (;;) {
            const { value, done } = await reader.read();
            if (done) return;
            this.#heard();
            for (const message of messages.take(value)) this.#hand(message);
        }
    }

    #hand(message) {
        let data = null;
        if (message.event !== "reset") {
            try {
                data = JSON.parse(message.data);
            } catch {
                return;
            }
        }
        this.#failures = 0;
        switch (message.event) {
        case "log":
            this.handlers.log(data);
            break;
        case "scene":
            this.handlers.link("open");
            this.handlers.scene(data);
            break;
        case "track":
            this.handlers.track(data);
            break;
        case "reset":
            this.handlers.reset();
            break;
        default:
            return;
        }
        // Only after it was taken: a message that broke us comes once more.
        if (message.id) this.#lastID = message.id;
        else if (message.event === "reset") this.#lastID = null;
    }
}
