// Degrees as the map's own lines are labelled. It is the one number that the page itself writes:
// which lines there are depends on how somebody moves the map.

/** "52°31′10″N" */
export function arc(degrees, positive, negative) {
    const seconds = Math.round(Math.abs(degrees) * 3600);
    const two = (number) => (number < 10 ? `0${number}` : `${number}`);
    return `${Math.floor(seconds / 3600)}°${two(Math.floor(seconds / 60) % 60)}′`
        + `${two(seconds % 60)}″${degrees < 0 ? negative : positive}`;
}
