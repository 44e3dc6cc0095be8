// The page's frame: the bar, the routes by location.hash, the theme, and what is said aloud.

import { el, replace, setText } from "./dom.js";
import { icon } from "./icons.js";
import { Refusal } from "./api.js";
import { installPaper } from "./paper.js";
import { codes, profileLink, refusedPage } from "./parts.js";
import { sentences } from "./words.js";
import { Speaker } from "./speaker.js";
import { Store } from "./store.js";
import * as setUp from "./screens/setup.js";
import * as live from "./screens/live.js";
import * as after from "./screens/after.js";
import * as history from "./screens/history.js";
import * as day from "./screens/day.js";
import * as devices from "./screens/devices.js";
import * as log from "./screens/log.js";
import * as profile from "./screens/profile.js";

const tabs = [
    ["walk", "#/walk", "walk", "Walk"],
    ["day", "#/day", "stairs", "Day"],
    ["history", "#/history", "history", "History"],
    ["devices", "#/devices", "strap", "Devices"],
    ["log", "#/log", "log", "Log"],
];

/** What stands at an address of which there is no screen. */
const nowhere = { name: "nowhere", title: "Nothing here", isStage: false,
    mount: (_, { refused }) => refused(new Refusal("nowhere", sentences.nowhere)) };

const root = document.documentElement;
const main = document.getElementById("main");
const store = new Store();
const speaker = new Speaker(document.getElementById("say"));
const away = el("p.away.chip.caution", { role: "status" });

let shown = null;
let key = null;
let wasWalking = null;
let generation = 0;
let units = null;
/** Whether the screen could not be had, because nobody answered. */
let isMissing = false;

/** What the address asks for: a screen, its tab and its parameters. */
function route() {
    let parts = [];
    try {
        parts = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
    } catch {
        // Somebody has typed what is no address.
    }
    const [first, ...rest] = parts;
    switch (first) {
    case "walks": return { screen: after, tab: "history", parameters: rest };
    case "day": return { screen: day, tab: "day", parameters: rest };
    case "history": return { screen: history, tab: "history", parameters: rest };
    case "devices": return { screen: devices, tab: "devices", parameters: rest };
    case "log": return { screen: log, tab: "log", parameters: rest };
    case "profile": return { screen: profile, tab: "profile", parameters: rest };
    case "": case "walk": break;
    default: return { screen: nowhere, tab: "walk", parameters: parts };
    }
    return { screen: store.isWalking ? live : setUp, tab: "walk", parameters: rest };
}

function drawBar(tab) {
    const links = tabs.map(([name, href, picture, text]) =>
        el("a", { href, "aria-current": name === tab ? "page" : null },
            icon(picture), el("span", text)));
    replace(document.getElementById("bar"),
        el("a.brand", { href: "#/walk" }, icon("mark"), "Pulselog"),
        el("nav.tabs", { "aria-label": "Pages" }, links),
        el("div.bar-end", profileLink({ "aria-current": tab === "profile" ? "page" : null })));
}

/** Shows the screen of the address, unless it is already shown. */
function show({ moved = false } = {}) {
    if (store.refused) {
        close();
        root.dataset.screen = "shut";
        refusedPage(main, store.refused.message);
        return;
    }
    const { screen, tab, parameters } = route();
    if (store.view === null && (tab === "walk" || tab === "devices")) {
        if (key !== "opening") {
            close();
            key = "opening";
            drawBar(tab);
            main.className = "page";
            replace(main, el("p.quiet", sentences.opening));
        }
        return;
    }
    const wanted = `${screen.name}/${parameters.join("/")}`;
    if (wanted === key) {
        shown?.update?.();
        return;
    }
    close();
    key = wanted;
    drawBar(tab);
    root.dataset.screen = screen.name;
    main.className = screen.isStage ? "stage" : "page";
    document.title = `${screen.title} · Pulselog`;
    let address = location.hash;
    const context = {
        store, speaker, parameters,
        /** The address follows what a screen shows, without a screen of its own. */
        settle: (...rest) => {
            // Where the walker has gone on, the screen of the new address comes in a moment.
            if (location.hash !== address) return;
            key = `${screen.name}/${rest.join("/")}`;
            address = `#/${tab}/${rest.join("/")}`;
            globalThis.history.replaceState(null, "", address);
        },
        entitle: (title) => { document.title = `${title} · Pulselog`; },
        refused: (error, head = el("div.head", el("h1", screen.title))) => {
            if (!(error instanceof Refusal)) throw error;
            isMissing = error.code === "away";
            const [, href, , name] = tabs.find(([of]) => of === tab);
            replace(main, head, el("p.quiet", { role: "status" }, ...codes(error.message)),
                isMissing ? null : el("a.btn", { href }, `To ${name}`));
        },
    };
    shown = screen.mount(main, context);
    shown?.update?.();
    if (moved) {
        main.focus({ preventScroll: true });
        scrollTo(0, 0);
    }
}

function close() {
    shown?.unmount?.();
    shown = null;
    key = null;
    isMissing = false;
    delete document.body.dataset.state;
    main.replaceChildren();
}

/** When a walk ends while it is looked at, its summary follows. */
function follow() {
    const walking = store.isWalking;
    const ended = wasWalking === true && store.scene !== null && !walking
        && store.leftOpen === null;
    wasWalking = store.scene === null ? null : walking;
    if (ended && key?.startsWith("live/") && store.walk !== null && store.thrown === null) {
        location.hash = `#/walks/${store.walk}`;
        return true;
    }
    return false;
}

function tell() {
    const silent = store.link === "away" && !store.refused;
    const isOver = store.scene?.phase === "ending" || store.scene?.phase === "idle";
    setText(away, silent ? store.refusal || (isOver ? sentences.ended : sentences.awayShort) : "");
    away.hidden = !silent;
    if (store.generation !== generation) {
        // Another log: nothing shown here holds.
        generation = store.generation;
        wasWalking = null;
        close();
    }
    root.dataset.right = store.tables?.right ?? "";
    if (store.tables !== null && store.tables.units !== units) {
        // What is shown is in other units, but for the profile, where they were changed.
        if (units !== null && !key?.startsWith("profile/")) close();
        units = store.tables.units;
    }
    if (isMissing && store.link === "open") close();
    if (!follow()) show();
}

const theme = new URLSearchParams(location.search).get("theme");
if (theme === "dark" || theme === "light") root.dataset.theme = theme;

// A phone that is paired and scans another code needs none.
if (location.hash.startsWith("#pair=")) globalThis.history.replaceState(null, "", "/");
installPaper();
away.hidden = true;
document.body.append(away);
document.querySelector(".skip").addEventListener("click", (event) => {
    // The hash is the address of a screen here; the link must not change it.
    event.preventDefault();
    main.focus();
});
addEventListener("hashchange", () => show({ moved: true }));
store.listen(tell);
show();
store.start();
