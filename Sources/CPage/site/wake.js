// The screen stays on while a walk is on it. Browsers do that for pages that came by TLS or from
// this machine; elsewhere it goes off as usual.

export class Wake {
    #lock = null;
    #isEnded = false;

    constructor() {
        // A page that is hidden loses its lock, and asks again when it is back.
        this.onSight = () => this.#ask();
        document.addEventListener("visibilitychange", this.onSight);
        this.#ask();
    }

    async #ask() {
        if (!navigator.wakeLock || document.visibilityState !== "visible") return;
        try {
            const lock = await navigator.wakeLock.request("screen");
            if (this.#isEnded) lock.release();
            this.#lock = lock;
        } catch {
            // The battery is low, or somebody has forbidden it.
        }
    }

    end() {
        this.#isEnded = true;
        document.removeEventListener("visibilitychange", this.onSight);
        this.#lock?.release();
    }
}
