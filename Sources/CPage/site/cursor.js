// One moment of a walk, in milliseconds since it began, that several drawings point at together.

export class Cursor {
    /** Null until somebody points at one. */
    at = null;
    #listeners = [];

    /** Calls back after each move. */
    listen(listener) {
        this.#listeners.push(listener);
    }

    set(at) {
        if (at === this.at) return;
        this.at = at;
        for (const listener of this.#listeners) listener(at);
    }
}

/** The index of the last of `list`, which is in order, that is not after a moment; -1 before it. */
export function lastUntil(list, at, momentOf) {
    let [low, high] = [0, list.length];
    while (low < high) {
        const middle = (low + high) >> 1;
        if (momentOf(list[middle]) <= at) low = middle + 1;
        else high = middle;
    }
    return low - 1;
}
