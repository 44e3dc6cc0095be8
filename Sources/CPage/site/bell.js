// What is to be heard: two tones and a vibration, where the browser and the device have them.

let context = null;

export function ring() {
    // Browsers are silent until somebody has touched the page.
    if (navigator.userActivation?.hasBeenActive === false) return;
    navigator.vibrate?.([250, 120, 250]);
    try {
        context ??= new AudioContext();
        context.resume();
        for (const [index, hertz] of [880, 660].entries()) tone(hertz, index * .28);
    } catch {
        // Without sound there still is the sentence.
    }
}

function tone(hertz, after) {
    const oscillator = new OscillatorNode(context, { frequency: hertz });
    const gain = new GainNode(context, { gain: .25 });
    const at = context.currentTime + after;
    oscillator.connect(gain).connect(context.destination);
    gain.gain.setTargetAtTime(0, at + .16, .03);
    oscillator.start(at);
    oscillator.stop(at + .3);
}
