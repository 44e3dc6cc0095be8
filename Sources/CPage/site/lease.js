// A lease: something the server does for this page as long as the page asks for it again. It is
// asked for each 10 s while the screen is seen; the server lets go 30 s after the last time.

import { Refusal } from "./api.js";

const everyMilliseconds = 10_000;

export class Lease {
    #timer = 0;
    #isEnded = false;
    #wasWanted = false;

    /**
     * `ask()` sends the command, `isWanted()` says whether it makes sense now, `tell(sentence)`
     * shows why it was refused, or an empty sentence.
     */
    constructor(ask, isWanted, tell = () => {}) {
        this.ask = ask;
        this.isWanted = isWanted;
        this.tell = tell;
        this.onSight = () => {
            if (document.visibilityState === "visible") this.#turn();
        };
        document.addEventListener("visibilitychange", this.onSight);
        this.#turn();
    }

    /** Asks at once if it makes sense now and did not before. */
    update() {
        const isWanted = this.isWanted();
        if (isWanted && !this.#wasWanted) this.#turn();
        this.#wasWanted = isWanted;
    }

    end() {
        this.#isEnded = true;
        clearTimeout(this.#timer);
        document.removeEventListener("visibilitychange", this.onSight);
    }

    async #turn() {
        clearTimeout(this.#timer);
        if (this.#isEnded) return;
        this.#timer = setTimeout(() => this.#turn(), everyMilliseconds);
        this.#wasWanted = this.isWanted();
        if (document.visibilityState !== "visible" || !this.#wasWanted) return;
        try {
            await this.ask();
            if (!this.#isEnded) this.tell("");
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            // 409: another process records, or a walk is open. The scene says so by itself; and
            // a missing answer is reported by the frame.
            if (!this.#isEnded && error.status !== 409 && error.status !== 0) {
                this.tell(error.message);
            }
        }
    }
}
