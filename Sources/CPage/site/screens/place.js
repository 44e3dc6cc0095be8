// Set-up: where the map behind the sheet is.

import { api, unlessRefused } from "../api.js";

/** Where the map is: at the fix, else where the last walk ended. */
export class Place {
    constructor(map) {
        this.map = map;
        map.map?.on("resize", () => this.at && this.#centre(this.at));
        this.#fromLastWalk().catch(unlessRefused);
    }

    draw(scene) {
        const fix = scene.gps;
        if (fix?.latitudeE7 == null) {
            this.map.setPlace(null);
            return;
        }
        const isFirst = !this.isFixed;
        this.isFixed = true;
        if (isFirst) this.#centre(fix);
        this.map.setPlace(fix);
    }

    async #fromLastWalk() {
        const { view } = await api.years();
        if (view.lastTrack === null || this.isFixed) return;
        const { track } = await api.outline(view.lastTrack);
        if (track?.length > 0 && !this.isFixed) this.#centre(track.at(-1));
    }

    /** Puts a place into the middle of what the sheet leaves free. */
    #centre(point) {
        const { map, plane } = this.map;
        if (!plane.isConnected) return;
        this.at = point;
        map.setView([point.latitudeE7 / 1e7, point.longitudeE7 / 1e7], 15.5, { animate: false });
        const sheet = document.querySelector(".sheet").getBoundingClientRect();
        const whole = plane.getBoundingClientRect();
        const wide = sheet.width < whole.width;
        const offset = wide ? [-(sheet.right - whole.left) / 2, 0]
            : [0, (whole.bottom - sheet.top) / 2];
        map.panBy(offset, { animate: false });
    }
}
