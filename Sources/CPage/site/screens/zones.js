// The profile's zones: the bar is the scale, its handles are the limits, which can also be typed.

import { button, el, replace, setAttribute, setText, svg } from "../dom.js";
import { errorLine, refuse, segments } from "../fields.js";
import { keySteps } from "../parts.js";

const tickStep = 20;

export class ZoneCard {
    #kind = null;
    #typed = [];
    #rows = [];

    constructor(page) {
        this.page = page;
        this.note = el("p.note");
        this.missing = el("p.note");
        this.drawing = svg("svg", { "aria-hidden": "true" });
        this.handles = [0, 1, 2].map((index) => this.#handle(index));
        this.bar = el("div.zbar", this.drawing, this.handles);
        this.list = el("ul.zl");
        this.error = errorLine("zones-error");
        this.save = button("primary", () => page.save(this, () => this.#setting), "Save these limits");
        this.back = button("", () => {
            this.refuse("");
            this.#choose(this.view.kinds.find(({ isChosen }) => isChosen));
        });
        this.acts = el("div.acts", this.save, this.back);
        this.node = el("section.card", { "aria-label": "Zones" },
            el("div.card-head", el("h2", "Zones"), this.note));
    }

    get #setting() {
        const { before, after } = this.#kind;
        return `zones=${before}${this.#isFixed ? "" : this.#typed.join(",")}${after}`;
    }

    get #isFixed() {
        return this.#kind.key === "standard";
    }

    get #isChanged() {
        return !this.#kind.isChosen || this.#kind.limits.some((limit, index) =>
            String(limit) !== this.#typed[index]);
    }

    /** Whether what is typed can be drawn. */
    get #isRising() {
        const limits = this.#typed.map(Number);
        return limits.every((limit, index) => Number.isInteger(limit)
            && limit > (limits[index - 1] ?? 0));
    }

    draw(view) {
        const shown = this.#kind;
        const wasChanged = shown !== null && this.#isChanged;
        this.view = view;
        if (shown === null) this.#build(view);
        setText(this.note, view.note);
        setText(this.missing, view.missing);
        this.missing.hidden = view.missing === "";
        view.kinds.forEach(({ isPossible }, index) => {
            this.kinds.inputs[index].disabled = !isPossible;
        });
        const chosen = view.kinds.find(({ isChosen }) => isChosen);
        if (!wasChanged && shown?.key !== chosen.key) return this.#choose(chosen);
        this.#kind = view.kinds.find(({ key }) => key === shown.key);
        if (!wasChanged) this.#typed = chosen.limits.map(String);
        return this.#show();
    }

    #build({ kinds }) {
        this.kinds = segments("zones", "Limits", kinds.map(({ key, name }) =>
            ({ value: key, name })), (value) => {
            this.#choose(this.view.kinds.find(({ key }) => key === value));
            if (this.#isFixed && this.#isChanged) this.page.save(this, () => this.#setting);
        });
        this.node.append(el("div.kind", this.kinds.node, this.missing), this.bar, this.list,
            this.error, this.acts);
    }

    #choose(kind) {
        this.#kind = kind;
        this.#typed = kind.limits.map(String);
        this.view.kinds.forEach(({ key }, index) => {
            this.kinds.inputs[index].checked = key === kind.key;
        });
        this.#rows = this.view.zones.map(({ name }, index) => this.#row(name, index));
        replace(this.list, el("li.h", el("span"), el("span"), el("span"), el("span", "Last walk")),
            this.#rows.map(({ node }) => node));
        this.#show();
    }

    #row(name, index) {
        const { unit } = this.#kind;
        const isTyped = index > 0 && !this.#isFixed;
        const input = el("input", { "aria-label": `${name} from, ${unit}`, inputmode: "numeric",
            autocomplete: "off", onchange: () => {
                this.#typed[index - 1] = input.value.trim();
                this.#show();
            } });
        const bound = isTyped ? el("span.num", input, el("i", { "aria-hidden": "true" }, unit))
            : el("span.from");
        const time = el("strong");
        return { input, bound, time, isTyped, node: el("li", el(`i.dot.z${index + 1}`),
            el("span", name), bound, time) };
    }

    #show() {
        const { isPossible, back } = this.#kind;
        const isChanged = this.#isChanged;
        this.#rows.forEach(({ input, bound, time, isTyped }, index) => {
            if (isTyped && input !== document.activeElement) input.value = this.#typed[index - 1];
            if (!isTyped) setText(bound, isChanged ? "" : this.view.zones[index].bound);
            setText(time, isChanged ? "–" : this.view.zones[index].time);
        });
        this.acts.hidden = !isChanged;
        this.save.disabled = !isPossible || !this.#isRising;
        setText(this.back, this.view.kinds.find(({ isChosen }) => isChosen)?.back ?? back);
        this.refuse(this.#isRising ? "" : this.view.unordered);
        if (this.#isRising) this.#drawBar();
    }

    #drawBar() {
        const limits = this.#typed.map(Number);
        const low = Math.min(this.#kind.low, limits[0] - 1);
        const high = Math.max(this.#kind.high, limits[2] + 1);
        const at = (value) => `${(value - low) / (high - low) * 100}%`;
        const ends = [low, ...limits, high];
        const ticks = [];
        for (let value = Math.ceil(low / tickStep) * tickStep; value <= high; value += tickStep) {
            ticks.push(value);
        }
        replace(this.drawing, ends.slice(0, -1).map((from, index) => svg("rect", {
            class: `z${index + 1}`, x: at(from), y: 36, height: 24, rx: 6,
            width: `${(ends[index + 1] - from) / (high - low) * 100}%` })),
        limits.map((limit) => svg("text", { class: "lim", x: at(limit), y: 18 }, limit)),
        ticks.map((value) => svg("text", { x: at(value), y: 84, class: value === low ? "first"
            : value === high ? "last" : null }, value)));
        this.handles.forEach((handle, index) => {
            handle.hidden = this.#isFixed;
            handle.style.setProperty("left", at(limits[index]));
            setAttribute(handle, "aria-label", `${this.view.zones[index + 1].name} from`);
            setAttribute(handle, "aria-valuemin", limits[index - 1] + 1 || low);
            setAttribute(handle, "aria-valuemax", limits[index + 1] - 1 || high);
            setAttribute(handle, "aria-valuenow", limits[index]);
            setAttribute(handle, "aria-valuetext", `${limits[index]} ${this.#kind.unit}`);
        });
        this.scale = { low, high };
    }

    /** A limit, kept between its neighbours. */
    #put(index, value) {
        const limits = this.#typed.map(Number);
        const least = index > 0 ? limits[index - 1] + 1 : this.scale.low + 1;
        const most = index < 2 ? limits[index + 1] - 1 : this.scale.high - 1;
        this.#typed[index] = String(Math.max(least, Math.min(most, value)));
        this.#show();
    }

    #handle(index) {
        const follow = ({ clientX }) => {
            const { left, width } = this.bar.getBoundingClientRect();
            const { low, high } = this.scale;
            this.#put(index, Math.round(low + (clientX - left) / width * (high - low)));
        };
        const node = el("button.hnd", { type: "button", role: "slider",
            onkeydown: (event) => {
                const step = keySteps[event.key];
                if (!step) return;
                event.preventDefault();
                this.#put(index, Number(this.#typed[index]) + step);
            },
            onpointerdown: ({ pointerId }) => {
                node.setPointerCapture(pointerId);
                node.onpointermove = follow;
            },
            onpointerup: () => { node.onpointermove = null; } }, el("i"));
        return node;
    }

    refuse(sentence) {
        refuse(this.list, this.error, this.#rows.filter(({ isTyped }) => isTyped)
            .map(({ input }) => input), sentence);
    }
}
