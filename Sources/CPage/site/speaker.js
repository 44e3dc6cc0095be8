// What a screen reader is told without asking: rare, polite, and never a heart rate. A sentence
// that comes within 30 s of the last waits; of those that wait only the newest is said.

const pauseMilliseconds = 30_000;

export class Speaker {
    #said = -Infinity;
    #waiting = 0;
    #next = null;

    constructor(place) {
        this.place = place;
    }

    /** Says it when its time has come, if `isStill` so by then. */
    say(sentence, isStill = () => true) {
        this.#next = [sentence, isStill];
        clearTimeout(this.#waiting);
        this.#waiting = setTimeout(() => {
            this.#next = null;
            if (isStill()) this.#speak(sentence);
        }, this.#said + pauseMilliseconds - performance.now());
    }

    /** An answer to what the walker did just now is said at once; what waits comes after it. */
    answer(sentence) {
        this.#speak(sentence);
        if (this.#next !== null) this.say(...this.#next);
    }

    #speak(sentence) {
        this.#said = performance.now();
        this.place.textContent = "";
        this.place.textContent = sentence;
    }
}
