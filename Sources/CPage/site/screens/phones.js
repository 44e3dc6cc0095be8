// Phones: which ones reach this machine from its network, a code for another, and an end for each.
// Only the page of this machine has them.

import { api } from "../api.js";
import { button, el, replace, setText, svg } from "../dom.js";
import { icon } from "../icons.js";
import { askInPlace, attempt, blank, codes, redraw, saidLine } from "../parts.js";
import { rights, sentences } from "../words.js";

const lookMilliseconds = 2_000;

/** Whether this page is the machine's own. */
const isHere = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);

/** What a phone may do, of which one is chosen. */
const rightsOf = (label, right, choose) => el("fieldset.rights", { "aria-label": label },
    rights.map(([value, name, text]) => el("label.pickrow", el("input", { type: "radio",
        name: label, checked: value === right, onchange: () => choose(value) }),
    el("span", el("b", name), el("span.quiet", text)))));

export class Phones {
    #timer = 0;
    #right = "walk";
    #isEnded = false;

    constructor(store) {
        this.store = store;
        this.said = saidLine();
        this.list = el("div");
        this.code = el("div.offer");
        this.good = el("p.note");
        this.offer = el("div.pairing", { hidden: true },
            el("div.card-head", el("h3", "1. What may it do?"), this.good),
            rightsOf("What may it do?", this.#right, (right) => this.#pair(right)), this.code);
        this.pair = button("", () => this.#pair(), "Pair a phone");
        this.node = el("section.card", { "aria-label": "Phones", hidden: true },
            el("div.role", el("h2", "Phones")), this.said, this.list, this.offer, this.pair);
        if (isHere) this.#load();
    }

    end() {
        this.#isEnded = true;
        clearTimeout(this.#timer);
    }

    /** Asks for the phones, or changes one, and shows which there are then. */
    async #load(work = api.phones) {
        const answer = await attempt(this.said, work);
        if (answer && !this.#isEnded) this.#draw(answer);
    }

    #draw({ address, phones }) {
        this.node.hidden = false;
        this.pair.hidden = address === null;
        const none = address === null ? sentences.phonesOff : sentences.noPhones;
        redraw(this.list, () => replace(this.list, phones.length === 0 ? blank("phone", none)
            : el("ul", phones.map((phone) => this.#row(phone)))));
    }

    #row({ name, facts, right }) {
        const unpair = button("fault", () => askInPlace(acts, sentences.unpair, "Unpair", "Keep",
            () => this.#load(() => api.revokePhone(name))), "Unpair");
        unpair.setAttribute("aria-label", `Unpair ${name}`);
        const acts = el("div.acts", right && el("details", el("summary", "Change rights"),
            rightsOf(`What ${name} may do`, right,
                (wanted) => this.#load(() => api.phoneRights(name, wanted)))), unpair);
        return el("li.dev", el("span.ico", icon("phone")), el("div",
            el("h3", { title: name }, name),
            el("p.facts", facts.map((fact) => el("span", fact)))), el("span"), acts);
    }

    async #pair(right = this.#right) {
        this.#right = right;
        const offer = await attempt(this.said, () => api.phoneCode(right));
        if (!offer || this.#isEnded) return;
        const { side, path } = offer;
        const picture = side === null ? null
            : svg("svg", { class: "qr", role: "img", "aria-label": "The code, to be scanned",
                viewBox: `-4 -4 ${side + 8} ${side + 8}`,
            }, svg("rect", { x: -4, y: -4, width: side + 8, height: side + 8 }),
            svg("path", { d: path }));
        replace(this.code, el("div",
            el("h3", "2. Open this on the phone"), el("p.mono.where", offer.address),
            el("h3", "3. Type this code"), el("p.mono.code", offer.code),
            el("p.note", offer.hint)), picture);
        this.offer.hidden = false;
        this.code.scrollIntoView({ block: "nearest" });
        setText(this.pair, "Another code");
        const before = await attempt(this.said, api.phones);
        setText(this.good, before?.good);
        this.#watch(before?.phones.length);
    }

    /** Looks until a phone has come, or the code is no longer valid. */
    #watch(before) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(async () => {
            const answer = await attempt(this.said, api.phones);
            if (this.#isEnded) return;
            const count = answer?.phones.length;
            const isPaired = count > before;
            setText(this.good, answer?.good);
            if (!isPaired && answer?.good !== null) return this.#watch(before ?? count);
            this.offer.hidden = true;
            setText(this.pair, "Pair a phone");
            if (answer) this.#draw(answer);
            if (isPaired) replace(this.said, ...codes(sentences.phonePaired));
        }, lookMilliseconds);
    }
}
