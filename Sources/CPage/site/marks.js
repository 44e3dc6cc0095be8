// Marks: what the walker pointed out during a walk. Where each was set is told by the track.

/** Marks with their places: `{position, text, number, point}`; those without one are left out. */
export function placesOf(marks, track) {
    return marks.flatMap((mark, index) => {
        const point = lastBefore(track, mark.position);
        return point ? [{ ...mark, number: index + 1, point }] : [];
    });
}

/** The last point of a track that is not after a position of the log. */
function lastBefore(track, position) {
    let [low, high] = [0, track.length];
    while (low < high) {
        const middle = (low + high) >> 1;
        if (track[middle].position <= position) low = middle + 1;
        else high = middle;
    }
    return track[low - 1] ?? track[0] ?? null;
}
