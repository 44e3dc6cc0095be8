// Devices: what is paired, by role, and what is in range.

import { api } from "../api.js";
import { button, el, replace, setText } from "../dom.js";
import { icon } from "../icons.js";
import { Lease } from "../lease.js";
import {
    askInPlace, attempt, battery, blank, codes, head, pairButton, redraw, saidLine,
    signal, steady, toggle,
} from "../parts.js";
import { bluetooth, sentences, strapName } from "../words.js";

export const name = "devices";
export const title = "Devices";
export const isStage = false;

const roles = [
    { key: "heart", names: ["heart"], label: "Heart", icon: "strap", none: sentences.noStrap },
    {
        key: "steps", names: ["steps", "pedometer", "footPod", "watch", "stepCounter"],
        label: "Steps", icon: "foot", none: sentences.noPedometer,
    },
];

const pairingKinds = new Set([
    "devicePaired", "deviceForgotten", "primaryChosen", "contactChosen",
]);

export function mount(main, { store, refused }) {
    let devices = null;
    let drawn = "";
    let gone = false;
    let isAll = false;
    let changedAt = store.recent.findLast((event) => pairingKinds.has(event.kind))?.position;
    const places = frame(main, (event) => {
        isAll = event.target.checked;
        attempt(said, scan);
    });
    const { said } = places;

    async function load() {
        try {
            const answer = await api.devices();
            if (gone) return;
            devices = answer.devices;
            update();
        } catch (error) {
            if (!gone) refused(error);
        }
    }

    /** A command that changes what is paired. */
    async function send(command, more) {
        const answer = await attempt(said, () => store.command(command, more));
        if (answer && !gone) await load();
    }

    function update() {
        lease.update();
        const scene = store.scene;
        if (!scene || devices === null) return;
        // Another page, or the command line, may pair and forget as well.
        const change = store.recent.findLast((event) => pairingKinds.has(event.kind));
        if (change && change.position !== changedAt) {
            changedAt = change.position;
            load();
        }
        const { connection = {} } = scene;
        const hindrance = bluetooth[connection.activity];
        const straps = steady(scene.straps);
        const quiet = hindrance ? sentences.listeningOff : quietOf(store);
        const state = JSON.stringify([devices, connection.activity, connection.status,
            connection.device, connection.withoutContact, connection.silent, straps,
            scene.pairing, quiet, isAll]);
        // A question that stands open is not drawn over.
        if (state !== drawn && !main.querySelector(".ask")) {
            drawn = state;
            const { pairing = null } = scene;
            redraw(main, () => drawLists(places, { devices, connection, hindrance, send }));
            redraw(places.range, () =>
                drawRange(places, { straps, pairing, quiet, isAll, send }));
        }
        for (const fact of main.querySelectorAll("[data-fact]")) {
            setText(fact, stateWords(connection, fact.dataset.fact));
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
            lease.end();
        },
    };
}

function drawLists({ trouble, lists }, { devices, connection, hindrance, send }) {
    drawTrouble(trouble, hindrance);
    for (const { role, body } of lists) {
        const own = devices.filter((device) => fills(device, role));
        replace(body, own.length === 0 ? blank(role.icon, role.none)
            : el("ul", own.map((device) => deviceRow(device, role, connection, send))));
    }
}

/** What stands still, with the places that are drawn into. */
function frame(main, onAll) {
    const places = {
        trouble: el("div.say", { hidden: true }), said: saidLine(),
        lists: roles.map((role) => ({ role, body: el("div") })),
        heard: el("p.note", { role: "status" }), range: el("div"),
    };
    main.append(
        head("Devices", "Straps and pedometers this machine records from"),
        places.trouble, places.said,
        el("div.grid.two",
            el("div.grid", places.lists.map(({ role, body }) => el("section.card",
                { "aria-label": role.label }, el("div.role", el("h2", role.label)), body))),
            el("section.card", { "aria-label": "In range" },
                el("div.card-head", el("h2", "In range"), places.heard), places.range,
                el("label.all", { for: "all-devices" }, toggle("all-devices", false, onAll),
                    "Also devices that do not say what they are"))));
    return places;
}

/** Whether a device fills a role. */
function fills(device, role) {
    const list = [device.role, device.roles].flat().filter(Boolean);
    return list.some((name) => role.names.includes(name));
}

function isPrimary(device, role) {
    const list = [device.primary].flat();
    return list.includes(true) || list.includes(role.key)
        || (role.key === "steps" && list.includes("pedometer"));
}

function stateWords(connection, address) {
    if (connection.device !== address || connection.status === "disconnected") {
        return connection.device === address && connection.activity === "reconnecting"
            ? "Reconnecting" : "Not connected";
    }
    if (connection.withoutContact) return "Connected, no contact";
    return connection.bpm == null ? "Connected, no value" : `Connected, ${connection.bpm} BPM`;
}

function deviceRow(device, role, connection, send) {
    const called = strapName(device.name);
    const isOn = connection.device === device.address && connection.status !== "disconnected";
    const acts = el("div.acts");
    const { address } = device;
    replace(acts,
        isPrimary(device, role) ? null : button("plain", () => send("primary", { address }),
            "Make primary"),
        button("fault", () => askInPlace(acts, `Forget ${called}?`, "Forget", "Keep",
            () => send("forget", { address })), "Forget"));
    for (const act of acts.querySelectorAll("button")) {
        act.setAttribute("aria-label", `${act.textContent} ${called}`);
    }
    return el("li.dev", el("span", { class: `ico ${isOn ? "on" : ""}` }, icon(role.icon)),
        el("div", el("h3", { title: called }, called),
            el("p.facts",
                role.key === "heart" ? el("span", { "data-fact": address }) : null,
                device.location ? el("span", device.location) : null,
                device.manufacturer ? el("span", device.manufacturer) : null,
                device.contactIgnored ? el("span", "contact ignored") : null,
                device.batteryPercent == null ? null : battery(device.batteryPercent))),
        isPrimary(device, role) ? el("span.chip.good", "Primary") : el("span"), acts);
}

/** Why nobody listens, or null. */
function quietOf(store) {
    if (store.isElsewhere) return sentences.elsewhereDevices;
    if (store.isWalking) return sentences.listeningLater;
    return store.leftOpen !== null ? sentences.listeningOpen : null;
}

/** ", heart and steps" of what is in range, if the server tells it. */
function roleWords(strap) {
    const words = roles.filter((role) => fills(strap, role))
        .map((role) => role.label.toLowerCase());
    return words.length > 0 ? `, ${words.join(" and ")}` : "";
}

function drawRange({ range, heard }, { straps, pairing, quiet, isAll, send }) {
    setText(heard, quiet ? "" : pairing ? `Pairing ${strapName(pairing.name)}`
        : straps.length === 0 ? "Listening. Nothing in range yet"
            : `Listening. ${straps.length} in range`);
    if (quiet || straps.length === 0) {
        replace(range, blank("scan", quiet ?? (isAll ? sentences.allListed : sentences.onlyOurs)));
        return;
    }
    replace(range, el("ul.rows", straps.map((strap) => {
        const called = strapName(strap.name);
        return el("li", signal(strap.signal),
            el("div.grow", el("h3", { title: called }, called),
                el("p.note.cut", el("span.mono", strap.address), roleWords(strap))),
            pairButton(strap, pairing, () => send("pair", { address: strap.address })));
    })));
}

function drawTrouble(node, hindrance) {
    node.hidden = !hindrance;
    if (!hindrance) return;
    replace(node, icon("info"), el("p", ...codes(hindrance.sentence), " ",
        el("code.mono", hindrance.command)));
}
