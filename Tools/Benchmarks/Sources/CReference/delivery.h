/* Which values are copies: another program is subscribed, and each is signalled several times. */

#ifndef PULSELOG_DELIVERY_H
#define PULSELOG_DELIVERY_H

#include "reader.h"

enum { COPY_MS = 20, SPACING_MS = 200, REACH_MS = 1500, PROVING_GROUPS = 5 };

/* What a value is, and what it proves of those before it. */
enum arrival { SINGLE, CANDIDATE, COPY, REFUTED, PROVEN, ENDED };

struct delivery {
    uint64_t group_at;
    uint64_t copied_at;
    bool is_watched; /* copies are on trial, or each value comes several times */
    uint64_t words[2]; /* of the value */
    uint64_t group_count; /* 0: a link loss cut it */
    uint64_t run_at;
    uint64_t run_count;
    uint64_t run_length;
    uint64_t factor;
};

FORCE_INLINE void delivery_begin(
    struct delivery *delivery, const struct heart_value *value, uint64_t now)
{
    delivery->words[0] = value->words[0];
    delivery->words[1] = value->words[1];
    delivery->group_at = now;
    delivery->group_count = 1;
}

/* The next value came at now: the group is complete. */
static inline enum arrival delivery_close(struct delivery *delivery, uint64_t now)
{
    if (delivery->factor > 1) {
        if (delivery->group_count == delivery->factor) return SINGLE;
        delivery->factor = 1;
        delivery->run_length = 0;
        delivery->is_watched = false;
        return ENDED;
    }
    if (delivery->group_count > 1 && now - delivery->group_at > REACH_MS) return SINGLE;
    if (delivery->group_count == 1 || now - delivery->group_at < SPACING_MS
        || (delivery->run_length > 0 && delivery->group_count != delivery->run_count)) {
        delivery->run_length = 0;
        delivery->is_watched = false;
        return REFUTED;
    }
    if (delivery->run_length == 0) {
        delivery->run_at = delivery->group_at;
        delivery->run_count = delivery->group_count;
    }
    if (++delivery->run_length < PROVING_GROUPS) return SINGLE;
    delivery->factor = delivery->run_count;
    return PROVEN;
}

static __attribute__((noinline)) enum arrival delivery_judge(
    struct delivery *delivery, const struct heart_value *value, uint64_t now)
{
    bool has_room = delivery->factor == 1 || delivery->group_count < delivery->factor;
    if (delivery->group_count > 0 && now - delivery->group_at <= COPY_MS && has_room
        && value->words[0] == delivery->words[0] && value->words[1] == delivery->words[1]) {
        delivery->group_count += 1;
        delivery->copied_at = now;
        delivery->is_watched = true;
        return delivery->factor == 1 ? CANDIDATE : COPY;
    }
    enum arrival arrival = SINGLE;
    if (delivery->is_watched && delivery->group_count > 0)
        arrival = delivery_close(delivery, now);
    delivery_begin(delivery, value, now);
    return arrival;
}

FORCE_INLINE enum arrival delivery_take(
    struct delivery *delivery, const struct heart_value *value, uint64_t now)
{
    if (LIKELY(!delivery->is_watched && now - delivery->group_at > COPY_MS)) {
        delivery_begin(delivery, value, now);
        return SINGLE;
    }
    return delivery_judge(delivery, value, now);
}

#endif
