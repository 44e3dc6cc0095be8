// What a phone gets that is not paired: a line for the code, which a phone that has scanned it
// need not type. All else of the page is for phones that are.

import { el, replace } from "./dom.js";
import { sentences } from "./words.js";

const form = document.querySelector("form");
const field = document.getElementById("code");
const answer = document.querySelector(".answer");

function say(text) {
    replace(answer, text.split("`").map((part, index) =>
        (index % 2 === 1 ? el("code.mono", part) : part)));
}

async function pair(code) {
    say("");
    try {
        const response = await fetch("/api/pair", {
            method: "POST", cache: "no-store", credentials: "same-origin",
            headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code }),
        });
        if (response.ok) {
            location.replace("/");
            return;
        }
        say((await response.json()).error.message);
    } catch {
        say(sentences.away);
    }
    field.focus();
    field.select();
}

form.addEventListener("submit", (event) => {
    event.preventDefault();
    pair(field.value);
});
document.querySelector(".open").hidden = location.protocol === "https:";
// Only what can be a code's long form: a link of somebody else costs no try.
const scanned = /^#pair=([\w-]{43})$/.exec(location.hash)?.[1];
// It is good once: neither the address nor the history keeps it.
history.replaceState(null, "", "/");
if (scanned) pair(scanned);
