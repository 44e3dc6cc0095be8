// After: one walk, looked back at. Figures, route with heat-map, lanes along the way, zones,
// variability, splits. What was not recorded is said in a sentence and never drawn as 0.

import { api, unlessRefused } from "../api.js";
import { Cursor } from "../cursor.js";
import { el, replace, unseen } from "../dom.js";
import { icon } from "../icons.js";
import { lanesOf } from "../lanes.js";
import { attempt, card, codes, figure, saidLine, table, tr } from "../parts.js";
import { routeTimesCard } from "./comparison.js";
import { pictureOf } from "./picture.js";
import { routeCard } from "./route.js";
import { splitsCard } from "./splits.js";
import { walkHead } from "./walk-head.js";
import { fileMenu } from "./walk-menu.js";
import { sentences } from "../words.js";

export const name = "after";
export const title = "Walk";
export const isStage = false;

export function mount(main, { store, parameters, entitle, refused }) {
    const made = [];
    let gone = false;
    main.append(el("p.quiet", sentences.opening));
    const load = () => api.session(parameters[0]).then((session) => {
        if (gone) return;
        // A change that is answered later entitles no other screen.
        const tell = (text) => {
            session.view.title = text;
            if (!gone) entitle(text);
        };
        for (const thing of made.splice(0)) thing.destroy();
        draw(main, session, made, { store, tell, load });
        tell(session.view.title);
    }).catch((error) => {
        if (!gone) refused(error);
    });
    load();
    return {
        unmount() {
            gone = true;
            for (const thing of made) thing.destroy();
        },
    };
}

function draw(main, session, made, context) {
    const { view } = session;
    const cursor = new Cursor();
    const { heart, along, route } = view;
    const hasLanes = heart != null || along.lanes.length > 0;
    const again = el("div", { hidden: true });
    const special = el("p.special");
    // Where walks were never outlined, all of them are read first.
    api.comparison(session.position).then(({ view: { special: sentence, route: same } }) => {
        const said = [sentence, view.splits?.fastest, view.reached].filter(Boolean).join(" ");
        if (said) replace(special, icon("best"), el("span", said));
        if (same) again.replaceWith(routeTimesCard(same));
    }).catch(unlessRefused);
    const picture = session.track.length > 1 ? pictureOf(session, made) : null;
    replace(main, walkHead(session, context, picture?.open, fileMenu(session)), picture?.node,
        view.made === null ? null : el("p.note", view.made), special,
        view.unmeasured ? el("p.special.not", icon("steps"), el("span", view.unmeasured)) : null,
        lead(view),
        el("div.stack",
            el("div.grid.along", route ? routeCard(session, cursor, made) : null,
                hasLanes ? lanesCard(session, cursor, made) : null),
            view.absent ? el("section.card", el("p.none", icon("gps"), view.absent)) : null,
            view.noHeart ? noHeartCard(view.noHeart) : null,
            heart ? el("div.grid.three", zonesCard(heart.zones), meansCard(heart),
                heart.variability ? variabilityCard(heart) : null) : null,
            view.marks.length > 0 ? marksCard(view.marks) : null,
            view.splits || view.laps ? splitsCard(view, cursor) : null,
            again,
            el("div.grid.twin", view.sources.map((one) => sourcesCard(one, session, context)))));
}

/** One loud number, and the quiet ones. */
function lead({ figures, loud: key, lengths }) {
    const { name: label, value, unit } = figures.find((one) => one.key === key);
    return [el("div.lead",
        el("p.loud", unseen(label), el("strong", value), el("span", unit || label.toLowerCase())),
        el("dl.figures", figures.filter((one) => one.key !== key).map((one) => figure(one)))),
    lengths === null ? null : el("p.lengths", lengths)];
}

/** What figures are made of; a strap's values can be left out, and taken in again. */
function sourcesCard({ name: label, note, rows }, { position: session }, { store, load }) {
    const said = saidLine();
    const change = ({ device, leave, words }) => el("button", { type: "button",
        "data-edit": true, "data-device": device, onclick: async () => {
            if (await attempt(said, () => store.command("exclude",
                { session, device, excluded: leave === "yes" }))) await load();
            document.querySelector(`.ways [data-device="${CSS.escape(device)}"]`)?.focus();
        } }, words);
    return card(label, label, null, el("dl.ways", rows.map((row) => el("div", el("dt", row.name),
        el("dd", row.log ? el("a", { href: `#/log/${row.log}` }, row.value) : row.value),
        el("dd.note", row.note, row.device ? change(row) : null)))),
    note ? el("p.note", note) : null, said);
}

function marksCard(marks) {
    return card("Marks", "Marks", null, el("ul.rows.marks", marks.map((mark) => el("li",
        el("time.quiet", mark.time), el("span.grow", mark.text || mark.name),
        el("a", {
            href: `#/log/${mark.position}`, "aria-label": `${mark.name} in the log`,
        }, "In the log")))));
}

const noHeartCard = (sentence) => card("Heart rate over time", "Heart rate", null,
    el("p.none", icon("heart"), ...codes(sentence)));

function lanesCard(session, cursor, made) {
    const { view: { heart, along } } = session;
    const { node, readout, below } = lanesOf(session, cursor, made, {
        raw: rawBytes, open: (position) => { location.hash = `#/log/${position}`; },
    });
    return card("Along the way", "Along the way", heart?.range, readout, node, below,
        accountOf(along));
}

function accountOf({ account, elapsed }) {
    const parts = account.map(({ time, word, mark }) => el("span",
        mark ? el("i", { class: mark }) : null, el("strong", time), ` ${word}`));
    return el("p.account", parts.flatMap((part) => [part, " "]),
        el("span", "= ", el("strong", elapsed), " elapsed"));
}

/** The bytes of an event as the strap sent them, for whoever points at its value. */
async function rawBytes(position) {
    const answer = await api.log(position).catch(unlessRefused);
    return answer?.view.event.raw ?? "";
}

function meansCard({ means, highestPosition }) {
    const [mean, weighted, supported, highest] = means.map(({ name: label, value, note, key }) =>
        el("div", el("dt", label), el("dd", value), el("dd.note", note,
            key === "highest" ? el("a", { href: `#/log/${highestPosition}` }, "See it") : null)));
    return card("Mean and maximum heart rate", "Mean and maximum", "BPM",
        el("dl.means", mean, weighted), el("dl.hi", supported, highest));
}

function zonesCard({ note, rows }) {
    const parts = rows.map(({ milliseconds }, index) => {
        const part = el(`i.z${index + 1}`, { hidden: milliseconds === 0 });
        part.style.flexGrow = milliseconds;
        return part;
    });
    return card("Zones", "Zones", note,
        el("div.zonebar", parts),
        el("ul.zones", rows.map(({ name: zone, from, time }, index) => el("li",
            el("i", { class: `dot z${index + 1}` }), el("span", zone), el("span", from),
            el("strong", time)))),
        el("p.note", "The limits are those of your ", el("a", { href: "#/profile" }, "profile"),
            " at that time."));
}

function variabilityCard({ variability, cleaned }) {
    return card("Heart-rate variability", "Heart-rate variability", null,
        table([unseen("Measure"), "Cleaned", "Raw"], variability.map(({ name: label, clean, raw }) =>
            tr([label, [el("strong", clean.value), ` ${clean.unit}`],
                el("span.quiet", `${raw.value} ${raw.unit}`)]))),
        el("p.note", cleaned));
}
