// Devices: what is paired, by role, and what is in range.

import { api } from "../api.js";
import { button, el, replace, setText } from "../dom.js";
import { icon } from "../icons.js";
import { Lease } from "../lease.js";
import { Phones } from "./phones.js";
import {
    askInPlace, attempt, battery, blank, drawTrouble, head, pairButton, redraw,
    saidLine, steady, strapRow, toggle,
} from "../parts.js";
import { sentences } from "../words.js";

export const name = "devices";
export const title = "Devices";
export const isStage = false;

const roleIcons = { heart: "strap", pedometer: "foot", position: "gps" };

const pairingKinds = new Set([
    "devicePaired", "deviceForgotten", "primaryChosen", "contactChosen", "linkUp", "linkLost",
    "positionSourceTold",
]);

export function mount(main, { store, refused }) {
    let devices = null;
    let drawn = "";
    let gone = false;
    let isAll = false;
    let changedAt = store.recent.findLast((event) => pairingKinds.has(event.kind))?.position;
    const places = frame(main, store, (event) => {
        isAll = event.target.checked;
        attempt(said, scan);
    });
    const { said, phones } = places;

    const load = () => api.devices().then(({ view, positions }) => {
        if (gone) return;
        devices = [...view, ...positions];
        update();
    }, (error) => gone || refused(error));

    /** A command that changes what is paired. */
    async function send(command, more) {
        const answer = await attempt(said, () => store.command(command, more));
        if (answer && !gone) await load();
    }

    function update() {
        lease.update();
        const { scene, view } = store;
        if (!view || devices === null) return;
        // Another page, or the command line, may pair and forget as well.
        const change = store.recent.findLast((event) => pairingKinds.has(event.kind));
        if (change && change.position !== changedAt) {
            changedAt = change.position;
            load();
        }
        const { connection = {}, pairing = null } = scene;
        const straps = steady(view.straps);
        const { isHindered } = view;
        const quiet = isHindered ? sentences.listeningOff : quietOf(store);
        const state = JSON.stringify([devices, connection.status, connection.device, straps,
            pairing, quiet, isAll, isHindered]);
        // A question that is open is not drawn over.
        if (state !== drawn && !main.querySelector(".ask")) {
            drawn = state;
            drawTrouble(places.trouble, isHindered ? view.trouble : null);
            redraw(main, () => drawLists(places, { devices, connection, send }));
            redraw(places.range, () =>
                drawRange(places, { straps, pairing, quiet, isAll, send }));
        }
        setText(places.heard, quiet ? "" : view.listening);
        for (const fact of main.querySelectorAll("[data-fact]")) {
            if (fact.dataset.fact === connection.device) setText(fact, view.strap.fact);
        }
    }

    // What is in range is heard only while somebody listens.
    const scan = () => store.command("scan", isAll ? { all: true } : {});
    const lease = new Lease(scan,
        () => store.scene !== null && !store.isElsewhere && !store.isWalking
            && store.leftOpen === null,
        (sentence) => setText(said, sentence));
    load();
    return {
        update,
        unmount() {
            gone = true;
            phones.end();
            lease.end();
        },
    };
}

function drawLists({ lists }, { devices, connection, send }) {
    for (const { role, body } of lists) {
        const own = devices.filter(({ roles }) => roles.includes(role.key));
        // Of positions something is said once one came.
        body.parentNode.hidden = role.key === "position" && own.length === 0;
        replace(body, own.length === 0 ? blank(roleIcons[role.key], role.none)
            : el("ul", own.map((device) => deviceRow(device, role, connection, send))));
    }
}

/** What does not change, with the places that are drawn into. */
function frame(main, store, onAll) {
    const places = {
        trouble: el("div.say", { hidden: true }), said: saidLine(),
        lists: [...store.tables.roles, { key: "position", name: "Position", none: "" }]
            .map((role) => ({ role, body: el("div") })),
        heard: el("p.note", { role: "status" }), range: el("div"), phones: new Phones(store),
    };
    main.append(
        head("Devices", "What this machine records from, and the phones that may see it"),
        places.trouble, places.said,
        el("div.grid.two",
            el("div.grid", places.lists.map(({ role, body }) => el("section.card",
                { "aria-label": role.name }, el("div.role", el("h2", role.name)), body))),
            el("div.grid", el("section.card", { "aria-label": "In range" },
                el("div.card-head", el("h2", "In range"), places.heard), places.range,
                el("label.all", { for: "all-devices" }, toggle("all-devices", false, onAll),
                    "Also devices that do not say what they are")), places.phones.node)));
    return places;
}

function deviceRow(device, role, connection, send) {
    const { address, name: called } = device;
    const isOn = device.isUp || connection.device === address
        && connection.status !== "disconnected";
    const isPrimary = device.primary.includes(role.key);
    const acts = el("div.acts");
    if (device.forget !== null) replace(acts,
        isPrimary ? null : button("plain", () => send("primary", { address }), "Make primary"),
        button("fault", () => askInPlace(acts, device.forget, "Forget", "Keep",
            () => send("forget", { address })), "Forget"));
    for (const act of acts.querySelectorAll("button")) {
        act.setAttribute("aria-label", `${act.textContent} ${called}`);
    }
    return el("li.dev", el("span", { class: `ico ${isOn ? "on" : ""}` },
        icon(roleIcons[role.key])),
    el("div", el("h3", { title: called }, called),
        el("p.facts",
            el("span", role.key === "heart" ? { "data-fact": address } : {}, device.state),
            device.facts.map((fact) => el("span", fact)),
            device.battery === null ? null : battery(device.batteryPercent, device.battery))),
    isPrimary ? el("span.chip.good", "Primary") : el("span"), acts);
}

/** Why nobody listens, or null. */
function quietOf(store) {
    if (store.isElsewhere) return store.view.elsewhereDevices;
    if (store.isWalking) return sentences.listeningLater;
    return store.leftOpen !== null ? sentences.listeningOpen : null;
}

function drawRange({ range }, { straps, pairing, quiet, isAll, send }) {
    if (quiet || straps.length === 0) {
        replace(range, blank("scan", quiet ?? (isAll ? sentences.allListed : sentences.onlyOurs)));
        return;
    }
    replace(range, el("ul.rows", straps.map((strap) => strapRow(strap,
        pairButton(strap, pairing, () => send("pair", { address: strap.address })),
        strap.roles))));
}
