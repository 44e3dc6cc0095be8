// What of the page can be tried without a browser: `node --test Tests/Browser/page.test.mjs`.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
// Whatever the version of Node, a folder that says so has modules in it.
const site = mkdtempSync(join(tmpdir(), "page-site-"));
cpSync(join(here, "../../Sources/CPage/site"), site, { recursive: true });
writeFileSync(join(site, "package.json"), '{"type":"module"}');
after(() => rmSync(site, { recursive: true }));

globalThis.matchMedia = () => ({ addEventListener() {}, matches: false });
const load = (name) => import(join(site, name));
const formats = JSON.parse(readFileSync(join(here, "formats.json"), "utf8"));

test("the one number that the page writes is an arc", async () => {
    const { arc } = await load("arc.js");
    for (const [degrees, positive, negative, text] of formats.arc) {
        assert.equal(arc(degrees, positive, negative), text);
    }
});

test("an axis of time has the labels that the server made, at round minutes", async () => {
    const { clockAt, timeTicks } = await load("chart.js");
    // From 23:58:30 on, for eight minutes.
    const texts = ["23:58", "23:59", "00:00", "00:01", "00:02", "00:03", "00:04", "00:05", "00:06"];
    const clock = { from: -30_000, minute: 1438, stepMinutes: 1, texts };
    assert.equal(clockAt(clock, 0), "23:58");
    assert.equal(clockAt(clock, 29_999), "23:58");
    assert.equal(clockAt(clock, 30_000), "23:59");
    assert.equal(clockAt(clock, 1e12), "00:06");
    const wide = timeTicks(clock)({ left: 0, right: 900 }, 0, 450_000);
    assert.deepEqual(wide.map(({ label }) => label), texts.slice(1));
    const narrow = timeTicks(clock)({ left: 0, right: 180 }, 0, 450_000);
    assert.deepEqual(narrow, [{ v: 90_000, label: "00:00" }, { v: 390_000, label: "00:05" }]);
});

test("a line is broken where it has no value, and may be as long as a walk", async () => {
    const { endsOf, lineOf } = await load("chart.js");
    globalThis.document = { createElementNS: (_, name) =>
        ({ name, setAttribute(key, value) { this[key] = value; } }) };
    const [area, line] = lineOf([[0, 1], [1, 2.04], [2, null], [3, 4]], "line", 9);
    assert.equal(line.d, "M0 1L1 2M3 4h0");
    assert.equal(area.d, "M0 1L1 2V9H0zM3 4h0V9H3z");
    const long = Array.from({ length: 200_000 }, (_, index) => [index / 1_000, index === 77_777 ? 99 : index % 7]);
    assert.deepEqual(endsOf(long.map(([, y]) => y)), [0, 99]);
    // Of each pixel there are four places at most, and the peaks are among them.
    const { d } = lineOf(long)[1];
    assert.ok(d.split("L").length <= 800 && d.includes("L77.8 99L"));
});

test("a scene is too old after ten seconds, also where the clock is set back or the page slept",
    async (context) => {
        const { Store } = await load("store.js");
        let [wall, page] = [1e12, 5_000];
        context.mock.method(Date, "now", () => wall);
        context.mock.method(performance, "now", () => page);
        context.mock.timers.enable({ apis: ["setTimeout"] });
        const handlers = {};
        context.mock.method(globalThis, "fetch", () => new Promise(() => {}));
        globalThis.document = { visibilityState: "visible", addEventListener() {} };
        const store = new Store();
        store.start();
        Object.assign(handlers, store.stream.handlers);
        for (const [byWall, byPage, isStale] of [
            [0, 0, false], [9_000, 9_000, false], [11_000, 11_000, true], [-3.6e6, 11_000, true],
            [3.6e6, 2_000, true],
        ]) {
            handlers.scene({ head: 1 });
            assert.equal(store.isStale, false);
            wall += byWall;
            page += byPage;
            assert.equal(store.isStale, isStale, `${byWall} ${byPage}`);
        }
    });

test("a stream is cut into messages wherever its pieces end", async () => {
    const { MessageReader } = await load("api.js");
    const text = "id: 7\r\nevent: log\r\ndata: {\"a\":1}\r\n\r\n: quiet\nevent: reset\n\n"
        + "event: track\ndata: one\ndata: two\n\n";
    const wanted = [
        { event: "log", data: "{\"a\":1}", id: "7" }, { event: "reset", data: "", id: null },
        { event: "track", data: "one\ntwo", id: null },
    ];
    for (let size = 1; size <= text.length; size += 1) {
        const reader = new MessageReader();
        const found = [];
        for (let at = 0; at < text.length; at += size) {
            found.push(...reader.take(text.slice(at, at + size)));
        }
        assert.deepEqual(found, wanted, `pieces of ${size}`);
    }
});

test("a track begins anew with each stream, and with each walk", async (context) => {
    // Nothing that is watched for is waited for.
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const { Store } = await load("store.js");
    const messages = (...list) => list.map(([event, data]) =>
        `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join("");
    const scene = { head: 9, phase: "recording", session: { position: 4, state: "running" },
        view: {} };
    const point = (latitudeE7) => ({ latitudeE7, longitudeE7: 0 });
    const parts = [
        ["scene", scene], ["track", { walk: 4, from: 0, points: [point(1)], marks: [] }],
        ["track", { walk: 4, from: 1, points: [point(2)], marks: [{ text: "a" }] }],
        ["track", { walk: 4, from: 0, points: [point(3)], marks: [] }],
        ["track", { walk: 8, from: 0, points: [point(5), point(6)], marks: [] }],
    ];
    Object.assign(globalThis, { document: { visibilityState: "visible", addEventListener() {} } });
    let streams = 0;
    globalThis.fetch = async (path) => {
        if (path === "/api/tables?units=km") return Response.json({ units: "km", goals: [] });
        streams += 1;
        if (streams > 1) return new Promise(() => {});
        return new Response(messages(...parts));
    };
    const store = new Store();
    const seen = [];
    await new Promise((done) => {
        store.listen(() => {
            seen.push([store.walk, store.track.length, store.marks.length]);
            if (store.walk === 8 && store.tables !== null) done();
        });
        store.start();
    });
    store.stream.pause();
    assert.deepEqual(seen.at(-1), [8, 2, 0]);
    assert.deepEqual(store.track.map(({ latitudeE7 }) => latitudeE7), [5, 6]);
});

test("a field takes as many bytes as the log does, and a picture a walk of any length", async () => {
    const { limitBytes } = await load("dom.js");
    const field = new EventTarget();
    limitBytes(field, 10);
    for (const [typed, kept] of [["0123456789", "0123456789"], ["👟👟👟", "👟👟"], ["ééééééé", "ééééé"]]) {
        field.value = typed;
        field.dispatchEvent(new Event("input"));
        assert.equal(field.value, kept);
    }
    const { fitted } = await load("screens/picture.js");
    const track = Array.from({ length: 200_000 }, (_, index) =>
        ({ latitudeE7: 0, longitudeE7: index }));
    const points = fitted(track, { left: 0, top: 0, width: 100, height: 10 });
    assert.deepEqual([points[0], points.at(-1)], [[0, 5], [100, 5]]);
});

test("an answer silences nothing, and what no longer holds is not said", async ({ mock }) => {
    mock.timers.enable({ apis: ["setTimeout"] });
    const { Speaker } = await load("speaker.js");
    const said = [];
    const speaker = new Speaker({ set textContent(text) { if (text) said.push(text); } });
    speaker.answer("Lap 1.");
    speaker.say("Heart rate lost. Reconnecting.");
    speaker.answer("Lap 2.");
    mock.timers.tick(31_000);
    speaker.say("Vigorous heart rate.", () => false);
    mock.timers.tick(31_000);
    assert.deepEqual(said, ["Lap 1.", "Lap 2.", "Heart rate lost. Reconnecting."]);
});

test("a rule stands in one language: scripts have no number of it", () => {
    const allowed = new Set([
        // Answers of HTTP, the name of SVG, this machine's address; a phone's buzz and two tones.
        "401 409 422 2000 127 250 120 880 660",
        // Seconds of arc, degrees and minutes: what there are of them, and round ones on an axis.
        "180 300 360 500 600 720 1440 1800 3600 7500 18000 36000 60000",
        // Pixels, percents, and how much is drawn, kept or shown for a moment.
        "100 102 104 110 112 128 130 132 140 142 146 150 170 186 190 200 220 222 240 400 480 650",
        "380 913 923 968 1000 1046 1080 1308 1320 1350 3000",
    ].flatMap((line) => line.split(" ")));
    for (const name of readdirSync(site, { recursive: true }).filter((one) => /js$/.test(one))) {
        // How often and for how long the page itself asks, waits and speaks has a name.
        const text = readFileSync(join(site, name), "utf8")
            .replace(/\/\*[^]*?\*\/|(?<!:)\/\/.*$|^(?:export )?const (\w+Milliseconds|waits) = .*$/gm, "");
        const found = [...text.matchAll(/(?<![\w.])\d[\d_,]{2,}(?!\w)/g)].map(([number]) =>
            number.replaceAll(/\D/g, "")).filter((number) => number.length > 2);
        assert.deepEqual(found.filter((number) => !allowed.has(number)), [], name);
    }
});
