// What this browser remembers. A browser that keeps nothing (a private window, a full disk) shows
// the same page with the usual settings.

function read(key) {
    try {
        return localStorage.getItem(key);
    } catch {
        return null;
    }
}

function write(key, value) {
    try {
        localStorage.setItem(key, value);
    } catch {
        // It holds for as long as the page is open.
    }
}

/** A choice between two words, as a property that is true for the first of them. */
function choice(key, on, off, usual = off) {
    let word = read(key) ?? usual;
    return {
        enumerable: true,
        get: () => word === on,
        set(isOn) {
            word = isOn ? on : off;
            write(key, word);
        },
    };
}

export const settings = Object.defineProperties({}, {
    /** Whether the heart beats as often as the walker's; else every 1.3 s. */
    beatsWithHeart: choice("pulselog.beat", "heart", "steady"),
    /** Whether the goal and the turn make a sound. */
    hearsGoal: choice("pulselog.goal", "heard", "silent", "heard"),
    /** Whether a walk in progress is a few large figures. */
    largeFigures: choice("pulselog.figures", "large", "usual"),
});
