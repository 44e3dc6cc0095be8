// Elements, made by construction: text becomes text nodes and attributes are set one by one, so
// that nothing a stranger wrote (a strap's name, a mark) is ever read as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** Sets attributes; `on…` are listeners, `null` and `false` leave out, `true` is empty. */
function dress(node, attributes) {
    for (const [name, value] of Object.entries(attributes)) {
        if (value == null || value === false) continue;
        if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
        else node.setAttribute(name, value === true ? "" : value);
    }
}

/** Appends children; `null` and `false` are left out, whatever is no node becomes text. */
function fill(node, children) {
    for (const child of children.flat(Infinity)) {
        if (child == null || child === false) continue;
        node.append(child instanceof Node ? child : String(child));
    }
    return node;
}

/** An HTML element: `el("p.note", { title }, "text", child)`. */
export function el(tag, attributes = {}, ...children) {
    const [name, ...classes] = tag.split(".");
    const node = document.createElement(name || "div");
    if (classes.length > 0) node.className = classes.join(" ");
    const plain = attributes instanceof Node || typeof attributes !== "object"
        || attributes === null || Array.isArray(attributes);
    if (plain) return fill(node, [attributes, ...children]);
    dress(node, attributes);
    return fill(node, children);
}

/** An SVG element. */
export function svg(tag, attributes = {}, ...children) {
    const node = document.createElementNS(SVG, tag);
    dress(node, attributes);
    return fill(node, children);
}

/** Changes a text only when it differs, so that a selection and a reader are left alone. */
export function setText(node, text) {
    const value = text == null ? "" : String(text);
    if (node.textContent !== value) node.textContent = value;
}

/** Changes an attribute only when it differs. */
export function setAttribute(node, name, value) {
    if (value == null || value === false) {
        if (node.hasAttribute(name)) node.removeAttribute(name);
    } else if (node.getAttribute(name) !== String(value)) {
        node.setAttribute(name, value);
    }
}

/** Replaces an element's content. */
export function replace(node, ...children) {
    node.replaceChildren();
    return fill(node, children);
}

/** A button. */
export function button(classes, onclick, ...children) {
    return el("button", { class: `btn ${classes}`.trim(), type: "button", onclick }, ...children);
}

/** Text for readers of the screen only. */
export function unseen(text) {
    return el("span.vh", text);
}

/** Lets a field take no more than so many bytes, which are what the log counts in. */
export function limitBytes(field, most) {
    field.addEventListener("input", () => {
        const { read } = new TextEncoder().encodeInto(field.value, new Uint8Array(most));
        if (read < field.value.length) field.value = field.value.slice(0, read);
    });
}
