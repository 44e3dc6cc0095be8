// The page's own words: labels and sentences that hold whatever was recorded. Everything that has
// a figure, a name or a time in it comes from the server.

export const sentences = {
    shut: "Open the address that `pulselog serve` printed. If its terminal is gone, "
        + "`pulselog serve --open` opens the page again.",
    nowhere: "There is no such page.",
    away: "Pulselog is not answering. Try again in a moment.",
    strangeAnswer: "Pulselog gave an unexpected answer.",
    awayShort: "No answer from Pulselog. This is the last it sent.",
    ended: "Pulselog has ended. Nothing is being recorded; run “pulselog serve” to look back.",
    opening: "Loading.",
    leftOpen: "Pulselog stopped while recording. Nothing that was recorded is lost.",
    paired: "It is paired.",
    largeHint: "BPM, time and what is left fill the screen; the map steps back.",
    beatHint: "At your own rate; otherwise every 1.3 s",
    pairHint: "Put it on first: most straps wake up on skin. The first one becomes your primary.",
    cursorHint: "Move along the chart, the map or the splits.",
    picture: "1,080 × 1,350 points, drawn on this machine and saved as a file. Nothing is sent.",
    heatNone: "Nothing in this walk can be shown on the map.",
    noWalks: "Your first walk appears here when it ends. `pulselog import` brings in a log from "
        + "another machine.",
    allListed: "Every device that is heard is listed. Pairing looks at what it offers.",
    onlyOurs: "Straps and pedometers are listed, nothing else. Most straps wake up when they "
        + "touch skin: put it on and wet the contacts.",
    listeningOff: "Listening starts when Bluetooth is on.",
    listeningLater: "Pulselog does not look for straps during a walk. Listening starts when it "
        + "ends.",
    listeningOpen: "A walk is still open. Listening starts when it ends.",
    watching: "A walk appears here when it begins.",
    noPhones: "No phone is paired yet. It can show the walk as this page does.",
    phonesOff: "A phone on your own network can show the walk. Start Pulselog with this "
        + "machine’s address there: `pulselog serve --listen ADDRESS`",
    phonePaired: "The phone is paired.",
    unpair: "Unpair this phone?",
    logLead: "Everything that came in, in order. Go to any moment to see what was known then.",
    comparing: "Move the slider: the second column follows.",
    emptyLog: "Nothing has been recorded yet.",
};

/** What a phone may do: how the server calls it, its name, and what that means. */
export const rights = [
    ["watch", "Watch", "Sees the walk. Changes nothing."],
    ["walk", "Walk", "Starts, pauses, marks and finishes walks as well."],
    ["all", "All", "What you can do here: devices, profile, hiding and correcting."],
];
