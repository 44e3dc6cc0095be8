// What the page knows: the latest scene, and the running walk's track and marks, folded from the
// stream of events. It holds no meaning of its own: totals come from the server.

import { api, EventStream, Refusal } from "./api.js";

const recentLimit = 400;
const heldMilliseconds = 10_000;
// A fix with a greater error counts for nothing, and is not drawn.
const greatestErrorMillimetres = 50_000;
// A page that nobody sees lets go of its stream: a browser has few connections to one server.
const unseenMilliseconds = 10_000;

export class Store {
    scene = null;
    link = "opening";
    /** Why the stream was refused, in a sentence; empty while it was not. */
    refusal = "";
    #sceneAt = 0;
    #ageing = 0;
    refused = null;
    head = null;
    /** How often the log was exchanged for another one. */
    generation = 0;
    /** The running session's position, its points and its marks. */
    walk = null;
    track = [];
    marks = [];
    /** The latest events of the log, oldest first. */
    recent = [];
    #listeners = new Set();
    #isTelling = false;
    #newSegment = true;
    #paused = false;

    /** Calls back after each change; returns a function that ends it. */
    listen(listener) {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
    }

    start() {
        this.stream = new EventStream({
            log: (event) => this.#fold(event),
            scene: (scene) => this.#show(scene),
            reset: () => this.#drop(),
            link: (link, sentence = "") => {
                if (this.link === link && this.refusal === sentence) return;
                this.link = link;
                this.refusal = sentence;
                this.#tell();
            },
            refused: (refusal) => {
                this.refused = refusal;
                this.#tell();
            },
        });
        let unseen = 0;
        const look = () => {
            clearTimeout(unseen);
            if (document.visibilityState === "visible") this.stream.resume();
            else unseen = setTimeout(() => this.stream.pause(), unseenMilliseconds);
        };
        document.addEventListener("visibilitychange", look);
        look();
    }

    /**
     * Sends a command. Its events are not folded here: they come by the stream, in order, and
     * taking them early would make those look old that are still under way.
     */
    command(name, more) {
        return api.command(name, more);
    }

    /** Whether what the scene calls current is older than a loss is held, so that it is not. */
    get isStale() {
        return Date.now() - this.#sceneAt > heldMilliseconds;
    }

    /** Whether a walk is under way, as far as the scene tells. */
    get isWalking() {
        return ["starting", "recording", "ending"].includes(this.scene?.phase)
            && this.scene.session != null;
    }

    /** The walk that nobody records and nobody ended, or null. */
    get leftOpen() {
        return ["leftOpen", "failed"].includes(this.scene?.phase) ? this.scene.session ?? null
            : null;
    }

    /** Whether another process holds the recorder: pages cannot start, scan or pair. */
    get isElsewhere() {
        return this.scene?.recorder === "other";
    }

    /** Whether the walk under way is paused. */
    get isPaused() {
        const session = this.scene?.session;
        return session != null && this.isWalking
            && (session.state === "paused" || (this.#paused && session.state == null));
    }

    /** Listeners are called once for all that one piece of the stream brought. */
    #tell() {
        if (this.#isTelling) return;
        this.#isTelling = true;
        queueMicrotask(() => {
            this.#isTelling = false;
            for (const listener of [...this.#listeners]) listener(this);
        });
    }

    /** The log is another one: what is known of the old one is of no use. */
    #drop() {
        this.head = null;
        this.recent = [];
        this.scene = null;
        this.#forget();
        this.generation += 1;
        this.#tell();
    }

    #forget() {
        this.walk = null;
        this.track = [];
        this.marks = [];
        this.#newSegment = true;
        this.#paused = false;
    }

    #show(scene) {
        this.scene = scene;
        this.#sceneAt = Date.now();
        clearTimeout(this.#ageing);
        this.#ageing = setTimeout(() => this.#tell(), heldMilliseconds + 100);
        const position = this.isWalking ? scene.session?.position ?? null : null;
        if (position !== null && position !== this.walk) this.#begin(position);
        this.#tell();
    }

    /** A walk that was under way before the page came: its past is asked for once. */
    async #begin(position) {
        this.#forget();
        this.walk = position;
        this.#paused = this.scene.session.state === "paused";
        // What comes now goes on from the past, unless that ended in a pause.
        this.#newSegment = this.#paused;
        try {
            const session = await api.session(position);
            if (this.walk !== position) return;
            const pause = session.intervals.findLast((one) => one.kind === "paused");
            const { elapsedMilliseconds: last = 0 } = session.track.at(-1) ?? {};
            const first = merged(session.track, this.track)[session.track.length];
            if (pause !== undefined && pause.startMilliseconds >= last) {
                // It went on after a pause, and no fix had come yet.
                if (first) first.start = true;
                else this.#newSegment = true;
            }
            this.track = merged(session.track, this.track);
            this.marks = merged(session.markList, this.marks);
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            // What the stream brings is shown all the same; the past is missing on the map only.
        }
        this.#tell();
    }

    #fold(event) {
        const last = this.recent.at(-1)?.position ?? -1;
        if (event.position > last) {
            this.recent.push(event);
            if (this.recent.length > recentLimit) this.recent.shift();
            this.head = event.position;
            this.#foldWalk(event);
        }
        if (event.kind !== "characteristicNotified" && event.kind !== "pedometerRead") {
            this.#tell();
        }
    }

    #foldWalk(event) {
        switch (event.kind) {
        case "sessionStarted":
            this.#forget();
            this.walk = event.position;
            break;
        case "sessionPaused":
            this.#paused = true;
            break;
        case "sessionResumed":
            this.#paused = false;
            this.#newSegment = true;
            break;
        case "positionFixed":
            if (this.walk === null || this.#paused
                || event.accuracyMillimetres > greatestErrorMillimetres) break;
            this.track.push({
                position: event.position,
                latitudeE7: event.latitudeE7,
                longitudeE7: event.longitudeE7,
                altitudeMillimetres: event.altitudeMillimetres,
                start: this.#newSegment,
            });
            this.#newSegment = false;
            break;
        case "sessionMarked":
            if (this.walk === null) break;
            this.marks = merged(this.marks, [{ position: event.position, text: event.text ?? "" }]);
            break;
        default:
            break;
        }
    }
}

/** The past, then what came meanwhile and is newer. */
function merged(past, live) {
    const last = past.at(-1)?.position ?? -1;
    return [...past, ...live.filter((point) => point.position > last)];
}
