// What a screen reader is told without asking: rare, polite, and never a heart rate. A sentence
// that comes within 30 s of the last waits; of those that wait only the newest is said.

const pauseMilliseconds = 30_000;

export class Speaker {
    #said = -Infinity;
    #waiting = 0;

    constructor(place) {
        this.place = place;
    }

    say(sentence) {
        clearTimeout(this.#waiting);
        const wait = this.#said + pauseMilliseconds - performance.now();
        if (wait > 0) {
            this.#waiting = setTimeout(() => this.#speak(sentence), wait);
        } else {
            this.#speak(sentence);
        }
    }

    /** An answer to what the walker did just now is said at once. */
    answer(sentence) {
        clearTimeout(this.#waiting);
        this.#speak(sentence);
    }

    #speak(sentence) {
        this.#said = performance.now();
        this.place.textContent = "";
        this.place.textContent = sentence;
    }
}
