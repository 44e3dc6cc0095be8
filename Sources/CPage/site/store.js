// What the page knows: the latest scene, and the running walk's track and marks, as the server
// sends them. It holds no meaning of its own.

import { api, EventStream, staleMilliseconds, unlessRefused } from "./api.js";

// A page that nobody sees lets go of its stream: a browser has few connections to one server.
const unseenMilliseconds = 10_000;
const recentLimit = 400;

export class Store {
    /** What can be chosen and typed; null until it came. */
    tables = null;
    scene = null;
    link = "opening";
    /** Why the stream was refused, in a sentence; empty while it was not. */
    refusal = "";
    /** When the latest scene came: on the wall, and on a clock that nobody sets. */
    #sceneAt = { wall: 0, page: 0 };
    #ageing = 0;
    refused = null;
    head = null;
    /** How often the log was exchanged for another one. */
    generation = 0;
    /** The running walk's position, its points and its marks. */
    walk = null;
    track = [];
    marks = [];
    /** The walk that was thrown away just now, until the next begins or it is brought back. */
    thrown = null;
    /** The latest events of the log, oldest first. */
    recent = [];
    #listeners = new Set();
    #isTelling = false;

    /** Calls back after each change; returns a function that ends it. */
    listen(listener) {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
    }

    start() {
        this.stream = new EventStream({
            log: (event) => this.#keep(event),
            scene: (scene) => this.#show(scene),
            track: (news) => this.#extend(news),
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

    /** Asks for the tables, once somebody answers. */
    async #ask(units) {
        const tables = await api.tables(units).catch(unlessRefused);
        // The next scene asks again.
        if (tables === null) return;
        this.tables = tables;
        this.#tell();
    }

    /** Sends a command; its events come by the stream, in order. */
    command(name, more) {
        return api.command(name, more);
    }

    /** Ends the walk and hides it; `text` says what was thrown away, where the next is set up. */
    async throwAway(text) {
        const session = this.walk;
        let finished = null;
        this.thrown = { session, text };
        try {
            await this.command("finish");
            finished = session;
            await this.command("describe", { session, listing: "hidden" });
        } catch (error) {
            this.thrown = null;
            // What is finished and is not hidden is shown: there it can be.
            if (finished !== null) location.hash = `#/walks/${finished}`;
            throw error;
        }
    }

    /** What the server says is shown; null until it is known how. */
    get view() {
        return this.tables === null ? null : this.scene?.view ?? null;
    }

    /** Whether what the scene calls current is too old to be shown as such. */
    get isStale() {
        // The wall's clock may be set back; the page's stands still while the machine sleeps.
        return Math.max(Date.now() - this.#sceneAt.wall, performance.now() - this.#sceneAt.page)
            > staleMilliseconds;
    }

    /** Whether a walk is under way, as far as the scene says. */
    get isWalking() {
        return ["starting", "recording", "ending"].includes(this.scene?.phase)
            && this.scene.session != null;
    }

    /** The walk that nobody records and nobody ended, or null. */
    get leftOpen() {
        return ["leftOpen", "failed"].includes(this.scene?.phase) ? this.scene.session ?? null
            : null;
    }

    /** Whether another process holds the recorder, or this phone may watch only: pages cannot
     * start, scan or pair. */
    get isElsewhere() {
        return this.scene?.recorder === "other" || this.tables?.right === "watch";
    }

    /** Whether the walk under way is paused. */
    get isPaused() {
        return this.isWalking && this.scene.session.state === "paused";
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
        this.#forget(null);
        this.generation += 1;
        this.#tell();
    }

    #forget(walk) {
        this.walk = walk;
        this.track = [];
        this.marks = [];
    }

    #show(scene) {
        this.scene = scene;
        this.head = scene.head ?? this.head;
        this.#sceneAt = { wall: Date.now(), page: performance.now() };
        clearTimeout(this.#ageing);
        this.#ageing = setTimeout(() => this.#tell(), staleMilliseconds + 100);
        const walk = this.isWalking ? scene.session.position : null;
        if (walk !== null && walk !== this.walk) {
            this.#forget(walk);
            this.thrown = null;
        }
        const units = scene.view?.units ?? "km";
        if (this.tables?.units !== units) this.#ask(units);
        this.#tell();
    }

    /** A stream begins with the whole track; then comes what is new. */
    #extend({ walk, from, points, marks }) {
        if (walk !== this.walk || from === 0) this.#forget(walk);
        this.track = this.track.concat(points);
        this.marks = this.marks.concat(marks);
        this.#tell();
    }

    #keep(event) {
        if (event.position <= (this.recent.at(-1)?.position ?? -1)) return;
        this.recent.push(event);
        if (this.recent.length > recentLimit) this.recent.shift();
    }
}
