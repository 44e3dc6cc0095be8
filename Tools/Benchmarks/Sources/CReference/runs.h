/*
 * Reads ahead, lane by lane, what comes often, and gathers it to runs in the order of the log.
 *
 * What is not of the usual form (another device, another kind, a payload as it is) ends the reading
 * ahead in its lane and is left for reader_next(), faults included.
 */

#ifndef PULSELOG_RUNS_H
#define PULSELOG_RUNS_H

#include "reader.h"

#include <string.h>

enum { AHEAD = 512 };

struct plain {
    uint64_t boot;
    uint64_t position; /* known once it is in a run */
};

struct plain_heart {
    uint16_t bpm;
    uint8_t control;
    uint8_t interval_count;
    uint32_t first_interval;
};

struct plain_count {
    uint64_t count;
    uint64_t distance;
    bool has_distance;
};

struct runs {
    unsigned next[LANES]; /* places in entries */
    unsigned end[LANES];
    unsigned heart_first; /* the run: its hearts, and the places of all others in order */
    unsigned heart_count;
    unsigned other_count;
    unsigned steps_count;
    unsigned last;
    struct plain entries[3 * AHEAD];
    struct plain_heart hearts[AHEAD];
    uint16_t intervals[MAXIMUM_INTERVALS * AHEAD];
    struct plain_count counts[AHEAD];
    struct fix fixes[AHEAD];
    uint16_t others[2 * AHEAD + 1];
};

FORCE_INLINE unsigned lane_start(size_t number)
{
    return number == LANE_HEART ? 0 : number == LANE_STEPS ? AHEAD : 2 * AHEAD;
}

static inline void runs_begin(struct runs *runs)
{
    memset(runs->next, 0, sizeof runs->next);
    memset(runs->end, 0, sizeof runs->end);
}

/* ---- Reading ahead ----------------------------------------------------------------------------*/

/* Whether the entries to come may be of the usual kind. */
FORCE_INLINE bool may_be_plain(const struct lane_reader *lane, unsigned kind)
{
    return lane->remaining > 0 && lane->state.version == 1 && lane->state.kind == kind
        && lane->state.source == 0;
}

/* Takes any entry of the given form and the same envelope and device; else takes nothing. */
FORCE_INLINE bool take_plain(
    struct block_reader *reader, size_t number, enum body_form form, struct block_event *event)
{
    struct lane_reader *lane = &reader->lanes[number];
    struct lane_state before = lane->state;
    const uint8_t *at = lane->at;
    bool is_taken = reader_take_entry(reader, number, event) && event->form == form;
    const struct lane_state *after = &lane->state;
    if (LIKELY(is_taken && after->boot_number == before.boot_number
               && after->source == before.source && after->flags == before.flags
               && after->kind == before.kind && after->version == 1
               && after->difference == before.difference && after->device == before.device && after->device_count == before.device_count))
        return true;
    lane->state = before;
    lane->at = at;
    reader->is_bad = false;
    return false;
}

/* A number of one or two bytes, of which two are there; of any other, excess is not 0 any more. */
FORCE_INLINE uint64_t take_short(const uint8_t **at, uint64_t *excess)
{
    uint64_t word = (*at)[0] | (uint64_t)(*at)[1] << 8;
    uint64_t is_long = word >> 7 & 1;
    uint64_t high = word >> 8 & (0 - is_long);
    *excess |= (high & 0x80) | (high - is_long) >> 63;
    *at += 1 + is_long;
    return (word & 0x7F) | high << 7;
}

/* Takes a strap's value as nearly all are; false, and nothing is taken, if it is another. */
FORCE_INLINE bool take_short_heart(
    struct lane_reader *lane, uint64_t *boot, struct plain_heart *heart, uint16_t *intervals)
{
    const uint8_t *at = lane->at;
    if (UNLIKELY(lane->end - at < 16)) return false;
    uint64_t excess = 0;
    uint64_t word = take_short(&at, &excess);
    *boot = (uint64_t)wrapping_sum((int64_t)lane->state.boot, unzigzag(word >> 1));
    unsigned control = at[0];
    if (UNLIKELY((word & 1) || (control & 0xE0) || (control & 7) > MAXIMUM_INTERVALS
                 || *boot >= NUMBER_LIMIT))
        return false;
    heart->control = (uint8_t)control;
    heart->bpm = at[1];
    heart->interval_count = control & 7;
    at += 2;
    int64_t last = lane->state.first;
    for (unsigned index = 0; index < heart->interval_count; index++) {
        last = wrapping_sum(last, unzigzag(take_short(&at, &excess)));
        excess |= (uint64_t)last >> 16;
        intervals[index] = (uint16_t)last;
    }
    int64_t wall = wrapping_sum((int64_t)*boot, lane->state.difference);
    if (UNLIKELY(excess || !is_within(wall, NUMBER_LIMIT))) return false;
    lane->at = at;
    lane->state.boot = *boot;
    lane->state.first = last;
    return true;
}

static void read_hearts(struct block_reader *reader, struct runs *runs, uint64_t spacing)
{
    struct lane_reader *lane = &reader->lanes[LANE_HEART];
    if (!may_be_plain(lane, KIND_NOTIFIED) || lane->state.device == NO_DEVICE) return;
    unsigned limit = lane->remaining < AHEAD ? (unsigned)lane->remaining : AHEAD;
    unsigned count = 0;
    uint32_t interval = 0;
    uint64_t earliest = 0;
    while (count < limit) {
        struct plain_heart *heart = &runs->hearts[count];
        uint64_t *boot = &runs->entries[count].boot;
        struct lane_state before = lane->state;
        const uint8_t *at = lane->at;
        if (UNLIKELY(!take_short_heart(lane, boot, heart, &runs->intervals[interval]))) {
            struct block_event event;
            if (!take_plain(reader, LANE_HEART, BODY_HEART, &event)) break;
            *boot = event.boot;
            heart->bpm = (uint16_t)event.heart.bpm;
            heart->control = (uint8_t)event.heart.control;
            heart->interval_count = (uint8_t)event.heart.interval_count;
            memcpy(&runs->intervals[interval], event.heart.intervals, 2 * MAXIMUM_INTERVALS);
            if (event.heart.control & 0x40) *boot = 0; /* energy: not plain */
        }
        if (UNLIKELY(*boot < earliest || *boot == 0)) {
            lane->state = before;
            lane->at = at;
            break;
        }
        heart->first_interval = interval;
        interval += heart->interval_count;
        earliest = *boot + spacing + 1;
        count += 1;
    }
    lane->remaining -= count;
    runs->next[LANE_HEART] = 0;
    runs->end[LANE_HEART] = count;
}

static void read_others(
    struct block_reader *reader, struct runs *runs, size_t number, enum body_form form,
    unsigned kind)
{
    struct lane_reader *lane = &reader->lanes[number];
    if (!may_be_plain(lane, kind)) return;
    if (number == LANE_STEPS && lane->state.device == NO_DEVICE) return;
    unsigned limit = lane->remaining < AHEAD ? (unsigned)lane->remaining : AHEAD;
    unsigned count = 0;
    struct block_event event;
    while (count < limit) {
        struct lane_state before = lane->state;
        const uint8_t *at = lane->at;
        if (!take_plain(reader, number, form, &event)) break;
        if (UNLIKELY(form == BODY_COUNT && event.is_watch)) {
            lane->state = before;
            lane->at = at;
            break;
        }
        runs->entries[lane_start(number) + count].boot = event.boot;
        if (form == BODY_COUNT) {
            runs->counts[count] = (struct plain_count){
                .count = event.count, .distance = event.has_distance ? event.distance : 0,
                .has_distance = event.has_distance};
        } else {
            runs->fixes[count] = event.fix;
        }
        count += 1;
    }
    lane->remaining -= count;
    runs->next[number] = lane_start(number);
    runs->end[number] = lane_start(number) + count;
}

/* Reads ahead in each lane of which nothing is left that was read before. */
static inline void read_ahead(struct block_reader *reader, struct runs *runs, uint64_t spacing)
{
    if (runs->next[LANE_HEART] >= runs->end[LANE_HEART]) read_hearts(reader, runs, spacing);
    if (runs->next[LANE_STEPS] >= runs->end[LANE_STEPS])
        read_others(reader, runs, LANE_STEPS, BODY_COUNT, KIND_PEDOMETER_READ);
    if (runs->next[LANE_PLACE] >= runs->end[LANE_PLACE])
        read_others(reader, runs, LANE_PLACE, BODY_POSITION, KIND_POSITION_FIXED);
}

/* ---- In the order of the log ------------------------------------------------------------------*/

/* Gathers a run from boot clock to boot clock; false if it has no event. */
static inline bool gather(
    struct block_reader *reader, struct runs *runs, uint64_t from, uint64_t to,
    bool takes_hearts, bool takes_counts)
{
    unsigned end[LANES];
    memcpy(end, runs->end, sizeof end);
    if (!takes_hearts) end[LANE_HEART] = 0;
    if (!takes_counts) end[LANE_STEPS] = 0;
    runs->heart_first = runs->next[LANE_HEART];
    unsigned steps = runs->next[LANE_STEPS];
    uint64_t first = reader->position;
    unsigned others = 0;
    while (reader->remaining > 0) {
        size_t number = *reader->order;
        if (UNLIKELY(number >= LANES)) break;
        unsigned place = runs->next[number];
        if (place >= end[number]) break;
        struct plain *entry = &runs->entries[place];
        if (entry->boot < from || entry->boot >= to) break;
        from = entry->boot;
        entry->position = reader->position++;
        runs->next[number] = place + 1;
        runs->others[others] = (uint16_t)place;
        others += number != LANE_HEART;
        runs->last = place;
        reader->order += 1;
        reader->remaining -= 1;
    }
    runs->heart_count = runs->next[LANE_HEART] - runs->heart_first;
    runs->steps_count = runs->next[LANE_STEPS] - steps;
    runs->other_count = others;
    return reader->position > first;
}

/* A value that was read ahead, with its words. */
static inline struct heart_value heart_value_of(const struct runs *runs, unsigned index)
{
    const struct plain_heart *heart = &runs->hearts[index];
    struct heart_value value = {
        .bpm = heart->bpm, .control = heart->control, .interval_count = heart->interval_count};
    uint64_t first = heart->control | (uint64_t)heart->bpm << 8;
    uint64_t others = 0;
    for (unsigned place = 0; place < heart->interval_count; place++) {
        uint64_t interval = runs->intervals[heart->first_interval + place];
        value.intervals[place] = (uint16_t)interval;
        if (place < 4)
            others = others << 16 | interval;
        else
            first |= interval << 40;
    }
    value.words[0] = first;
    value.words[1] = others;
    return value;
}

/* Takes the next event, whether it was read ahead or not; false if the block is damaged here. */
static inline bool runs_next(
    struct block_reader *reader, struct runs *runs, struct block_event *event)
{
    size_t number = *reader->order;
    if (number >= LANES || runs->next[number] >= runs->end[number])
        return reader_next(reader, event);
    unsigned place = runs->next[number]++;
    unsigned index = place - lane_start(number);
    const struct lane_state *state = &reader->lanes[number].state;
    reader->order += 1;
    memset(event, 0, sizeof *event);
    event->position = reader->position++;
    event->boot = runs->entries[place].boot;
    event->wall = wrapping_sum((int64_t)event->boot, state->difference);
    event->boot_number = state->boot_number;
    event->flags = state->flags;
    event->kind = state->kind;
    event->version = 1;
    event->device = state->device;
    reader->remaining -= 1;
    if (number == LANE_HEART) {
        event->form = BODY_HEART;
        event->heart = heart_value_of(runs, index);
    } else if (number == LANE_STEPS) {
        event->form = BODY_COUNT;
        event->count = runs->counts[index].count;
        event->has_distance = runs->counts[index].has_distance;
        event->distance = runs->counts[index].distance;
    } else {
        event->form = BODY_POSITION;
        event->fix = runs->fixes[index];
    }
    return true;
}

#endif
