// What this browser remembers. A browser that keeps nothing (a private window, a full disk) shows
// the same page with the usual settings.

const beatKey = "pulselog.beat";

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

let beat = read(beatKey);

export const settings = {
    /** Whether the heart beats as often as the walker's; else every 1.3 s. */
    get beatsWithHeart() {
        return beat === "heart";
    },
    set beatsWithHeart(isWith) {
        beat = isWith ? "heart" : "steady";
        write(beatKey, beat);
    },
};
