// The log's events in the walker's words: a line for lists, a sentence for the one that is looked
// at, and the meaning of its bytes. Names of kinds that this page does not know are shown as they
// are.

import { decodeHeartRate, bytesOf } from "../decode.js";
import { clock, count, counted } from "../words.js";

const characteristics = {
    heartRateMeasurement: "Heart Rate Measurement, 2a37",
    bodySensorLocation: "Body Sensor Location, 2a38",
    manufacturerName: "Manufacturer Name, 2a29",
    batteryLevel: "Battery Level, 2a19",
    runningSpeedCadenceMeasurement: "RSC Measurement, 2a53",
    infiniTimeStepCount: "Step Count, InfiniTime",
};

/** `sessionStarted` becomes "Session started". */
function plain(kind) {
    const words = String(kind).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return words.charAt(0).toUpperCase() + words.slice(1);
}

function stepsOf(event) {
    const bytes = bytesOf(event.value);
    if (event.form === "infiniTimeStepCount" && bytes.length === 4) {
        return bytes.reduceRight((sum, byte) => sum * 256 + byte, 0);
    }
    return typeof event.count === "number" ? event.count : null;
}

function heartLine(event) {
    const reading = decodeHeartRate(event.value);
    if (reading.error) return "Strap: could not be read";
    const beats = reading.intervals.length;
    const contact = reading.contact === "notDetected" ? ", no contact" : "";
    const doubt = reading.isCredible ? "" : ", not credible";
    return `Strap: ${reading.bpm} BPM${doubt}${contact}`
        + (beats > 0 ? `, ${counted(beats, "beat interval")}` : "");
}

const degrees = (e7) => (e7 / 1e7).toFixed(5);

const lines = {
    characteristicNotified: (event) => {
        if (event.characteristic === "heartRateMeasurement") return heartLine(event);
        if (event.characteristic === "batteryLevel") {
            return `Strap: battery ${bytesOf(event.value)[0]} %`;
        }
        return `Told: ${characteristics[event.characteristic] ?? event.characteristic}`;
    },
    characteristicRead: (event) =>
        `Read: ${characteristics[event.characteristic] ?? event.characteristic}`,
    pedometerRead: (event) => {
        const steps = stepsOf(event);
        return steps === null ? "Pedometer" : `Pedometer: ${count(steps)} on its counter`;
    },
    positionFixed: (event) => {
        const near = event.accuracyMillimetres == null ? ""
            : `, within ${Math.ceil(event.accuracyMillimetres / 1000)} m`;
        return `Position: ${degrees(event.latitudeE7)}, ${degrees(event.longitudeE7)}${near}`;
    },
    sessionStarted: () => "Walk started",
    sessionPaused: () => "Paused",
    sessionResumed: () => "Resumed",
    sessionEnded: () => "Walk ended",
    sessionMarked: (event) => (event.text ? `Marked: ${event.text}` : "Marked"),
    linkUp: () => "Strap connected",
    linkLost: () => "Strap disconnected",
    devicePaired: (event) => `Paired: ${event.name || event.device}`,
    contactChosen: (event) => `Contact of ${event.device} is `
        + (event.ignored ? "ignored" : "heeded"),
    deviceSeen: (event) => `Heard: ${event.name || event.device}`,
    healthTotalObserved: (event) => `Health store: ${count(event.total)} steps`,
    stepsCorrected: (event) => `Corrected by ${count(event.correction)} steps`,
    recorderStarted: () => "Pulselog started",
    recorderStopped: () => "Pulselog stopped",
    clockStepped: () => "The clock was set",
};

/** One line of a list. */
export function eventLine(event) {
    const make = lines[event.kind];
    return make ? make(event) : plain(event.kind);
}

const groups = [
    [/^(characteristic)/, "Heart rate"],
    [/^pedometer/, "Pedometer"],
    [/^position/, "Position"],
    [/^session/, "Walk"],
    [/^(link|connect|contact|subscri|device|primary|adapter|delivery)/, "Link"],
    [/^(health|steps|reconcil)/, "Steps"],
];

/** The chip above an event: its sort, and whether something was odd. */
export function eventChip(event) {
    const heart = event.characteristic === "heartRateMeasurement";
    if (heart && decodeHeartRate(event.value).error) {
        return { text: "Could not be read", odd: true };
    }
    if (event.characteristic && !heart) return { text: "Strap", odd: false };
    const group = groups.find(([pattern]) => pattern.test(event.kind));
    return { text: group ? group[1] : "Log", odd: false };
}

const contacts = { detected: ", touching skin", notDetected: ", but not touching skin" };
const fieldNames = {
    flags: "its flags", bpm: "a heart rate", energy: "an energy", interval: "a beat interval",
};

/** A sentence about an event. */
export function eventSentence(event) {
    if (event.characteristic === "heartRateMeasurement") {
        const reading = decodeHeartRate(event.value);
        if (reading.error) {
            return `The strap announced ${fieldNames[reading.error.field]} but the value ended `
                + `after ${counted(reading.error.offset, "byte")}. It is kept as it came and `
                + "is not counted.";
        }
        const beats = reading.intervals.map((ticks) => Math.round((ticks * 1000) / 1024));
        const when = beats.length === 0 ? ""
            : beats.length === 1
                ? ` One beat came ${count(beats[0])} ms after the one before.`
                : ` ${beats.length} beats came, ${beats.map(count).join(", ")} ms apart.`;
        const doubt = reading.isCredible ? "" : ", which is not credible and not counted";
        return `The strap reported ${reading.bpm} beats per minute${doubt}`
            + `${contacts[reading.contact] ?? ""}.${when}`;
    }
    const details = {
        sessionPaused: "The walk was paused. What arrives until it is resumed does not count.",
        sessionResumed: "The walk went on.",
        sessionStarted: "A walk began.",
        sessionEnded: "The walk ended.",
        linkLost: "The link to the strap was lost. Pulselog keeps trying to reconnect.",
        linkUp: "The link to the strap is up.",
    }[event.kind];
    if (details) return details;
    if (event.kind === "healthTotalObserved") {
        const until = event.validUntilMilliseconds == null ? ""
            : `, as of ${clock(event.validUntilMilliseconds)}`;
        return `A health store reported ${counted(event.total, "step")}${until}.`;
    }
    return `${eventLine(event)}.`;
}

/** Where an event came from: the device, and what it is called in its specification. */
export function eventSource(event) {
    return [event.device, characteristics[event.characteristic] ?? event.kind].filter(Boolean);
}

function flagWords(flags) {
    const words = [flags & 1 ? "two-byte BPM" : "one-byte BPM"];
    if (flags & 4) words.push(flags & 2 ? "on skin" : "not on skin");
    if (flags & 8) words.push("has energy");
    if (flags & 16) words.push("has intervals");
    return words.join(", ");
}

const partWords = {
    flags: (value) => ["", "flags: ", flagWords(value), ""],
    bpm: (value) => ["v", "", value, " BPM"],
    energy: (value) => ["", "", value, " kJ"],
    interval: (value) => ["r", "", value, "/1024 s"],
    half: (value) => ["v", `first half of ${value === "bpm" ? "BPM" : value}`, "", ""],
    ended: (value) => ["bad", "ended here, ", `byte ${value + 1}`, ""],
    left: (value) => ["bad", "left over, ", counted(value, "byte"), ""],
};

/** The raw bytes as tiles: `{hex, classes, before, strong, after}`. */
export function byteTiles(event) {
    if (event.characteristic === "heartRateMeasurement") {
        return decodeHeartRate(event.value).parts.map((part) => {
            const [classes, before, strong, after] = partWords[part.kind](part.value);
            return { hex: part.hex, classes, before, strong, after };
        });
    }
    if (typeof event.value !== "string" || event.value === "") return [];
    const hex = event.value.match(/../g).slice(0, 24).join(" ");
    return [{ hex, classes: "", before: counted(event.value.length / 2, "byte"), strong: "",
        after: "" }];
}
