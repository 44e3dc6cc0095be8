/* The route of a session from its fixes: whole numbers only, as the Swift package has them. */

#ifndef PULSELOG_ROUTE_H
#define PULSELOG_ROUTE_H

#include "CReference.h"
#include "reader.h"

enum {
    GREATEST_ERROR_MM = 50000,
    SHORTEST_STRETCH_MM = 10000,
    SHORT_STRETCH_MM = 5000,
    SHORT_STRETCH_FIXES = 2,
    SHORT_STRETCH_MS = 10000,
    GREATEST_MM_PER_S = 15000,
    RESERVE_MM = 30000,
    LEAST_CLIMB_MM = 5000,
    GREATEST_ALTITUDE_MM = 100000000
};

struct place {
    int64_t latitude;
    int64_t longitude;
};

struct route {
    ref_route totals;
    bool has_anchor;
    bool has_level;
    bool has_fixed_at;
    struct place anchor;
    struct place last_place;
    uint64_t anchor_ms;
    uint64_t last_ms;
    uint64_t reserve; /* how much farther than the greatest speed allows the next fix may be */
    unsigned fixes_away;
    int64_t level;
    int64_t fixed_at;
};

FORCE_INLINE uint64_t magnitude(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* The cosine of a latitude times 2^20. */
static inline uint64_t cosine(int64_t latitude)
{
    int64_t angle = (int64_t)magnitude(latitude) * 18740330 / 10000000;
    int64_t square = (angle * angle) >> 30;
    int64_t one = INT64_C(1) << 30, sum = one;
    sum = one - ((square * sum) >> 30) / 132;
    sum = one - ((square * sum) >> 30) / 90;
    sum = one - ((square * sum) >> 30) / 56;
    sum = one - ((square * sum) >> 30) / 30;
    sum = one - ((square * sum) >> 30) / 12;
    sum = one - ((square * sum) >> 30) / 2;
    return sum < 0 ? 0 : (uint64_t)(sum >> 10);
}

/* The square of a distance in square millimetres; false if that is more than 10 degrees. */
static inline bool squared_mm(struct place from, struct place to, uint64_t *square)
{
    uint64_t north = magnitude(to.latitude - from.latitude);
    uint64_t east = magnitude(to.longitude - from.longitude);
    if (east > 1800000000) east = 3600000000 - east;
    if (north > 100000000 || east > 100000000) return false;
    uint64_t northward = (north * 11119508 + 500000) / 1000000;
    uint64_t scale = cosine((from.latitude + to.latitude) / 2);
    uint64_t eastward = ((east * 11119508 / 1000 * scale >> 20) + 500) / 1000;
    *square = northward * northward + eastward * eastward;
    return true;
}

FORCE_INLINE bool is_at(struct place place, struct place other)
{
    return place.latitude == other.latitude && place.longitude == other.longitude;
}

static inline uint64_t root_of(uint64_t square)
{
    if (square <= 1) return square;
    unsigned bits = (65 - (unsigned)__builtin_clzll(square)) / 2;
    /* The first step from a power of two is not a division. */
    uint64_t root = ((UINT64_C(1) << bits) + (square >> bits)) / 2;
    for (;;) {
        uint64_t next = (root + square / root) / 2;
        if (next >= root) break;
        root = next;
    }
    return square - root * root > root ? root + 1 : root;
}

static inline void climb(struct route *route, const struct fix *fix)
{
    if (!fix->has_altitude || magnitude(fix->altitude) > GREATEST_ALTITUDE_MM) return;
    int64_t rise = route->has_level ? fix->altitude - route->level : 0;
    bool is_counted = rise >= LEAST_CLIMB_MM || rise <= -LEAST_CLIMB_MM;
    if (rise >= LEAST_CLIMB_MM) route->totals.ascent_mm += magnitude(rise);
    if (rise <= -LEAST_CLIMB_MM) route->totals.descent_mm += magnitude(rise);
    if (is_counted || !route->has_level) route->level = fix->altitude;
    route->has_level = true;
}

static inline void route_break(struct route *route)
{
    route->has_anchor = false;
    route->has_level = false;
}

/* Takes a fix; gives by how much the distance grew. */
static inline uint64_t route_take(struct route *route, const struct fix *fix, uint64_t now)
{
    ref_route *totals = &route->totals;
    uint64_t error = fix->accuracy;
    bool is_old = fix->has_fixed_at && route->has_fixed_at && fix->fixed_at == route->fixed_at;
    if (error > GREATEST_ERROR_MM || is_old) {
        totals->excluded_fixes += 1;
        return 0;
    }
    if (fix->has_fixed_at) {
        route->has_fixed_at = true;
        route->fixed_at = fix->fixed_at;
    }
    totals->fixes += 1;
    struct place place = {fix->latitude, fix->longitude};
    uint64_t square = 0, step = 0, stretch = 0;
    uint64_t passed = now > route->last_ms ? now - route->last_ms : 0;
    if (passed > 100000000) passed = 100000000;
    uint64_t farthest = passed * GREATEST_MM_PER_S / 1000 + route->reserve;
    bool is_near = totals->fixes > 1 && squared_mm(route->last_place, place, &step)
        && step <= farthest * farthest;
    /* Nearly always all of the reserve is left, which takes no root to see. */
    uint64_t rest = farthest > RESERVE_MM ? farthest - RESERVE_MM : 0;
    if (!is_near)
        route->reserve = 0;
    else if (step <= rest * rest)
        route->reserve = farthest < RESERVE_MM ? farthest : RESERVE_MM;
    else {
        rest = farthest - root_of(step);
        route->reserve = rest < RESERVE_MM ? rest : RESERVE_MM;
    }
    bool goes_on = route->has_anchor && is_near
        && (is_at(route->anchor, route->last_place)
                ? (square = step, true)
                : squared_mm(route->anchor, place, &square));
    if (goes_on) {
        uint64_t half = error / 2;
        uint64_t shortest = half > SHORTEST_STRETCH_MM ? half : SHORTEST_STRETCH_MM;
        uint64_t near = half > SHORT_STRETCH_MM ? half : SHORT_STRETCH_MM;
        route->fixes_away = square >= near * near ? route->fixes_away + 1 : 0;
        if (square >= shortest * shortest
            || (route->fixes_away >= SHORT_STRETCH_FIXES
                && now - route->anchor_ms <= SHORT_STRETCH_MS)) {
            stretch = root_of(square);
            totals->distance_mm += stretch;
            route->anchor = place;
            route->anchor_ms = now;
            route->fixes_away = 0;
        }
    } else {
        totals->jumps += route->has_anchor;
        route->has_anchor = true;
        route->anchor = place;
        route->anchor_ms = now;
        route->fixes_away = 0;
        route->has_level = false;
    }
    route->last_place = place;
    route->last_ms = now;
    climb(route, fix);
    return stretch;
}

#endif
