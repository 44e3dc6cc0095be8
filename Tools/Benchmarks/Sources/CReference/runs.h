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
    unsigned steps_first;
    unsigned fixes_first;
    unsigned fixes_end;
    unsigned last;
    struct plain entries[3 * AHEAD];
    struct plain_heart hearts[AHEAD];
    /* The same in columns: the low half of the boot clock, and BPM. */
    int32_t times[AHEAD];
    int32_t rates[AHEAD];
    /* The places of the values that are not usual: see is_usual(). */
    uint16_t odd[AHEAD + 1];
    unsigned odd_count;
    uint16_t intervals[MAXIMUM_INTERVALS * AHEAD + 4]; /* four are written at a time */
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

/* The time of an entry in one byte or two, at the start of eight. */
struct short_time {
    uint64_t word; /* the bytes behind it */
    int64_t milliseconds;
    unsigned length;
    bool is_short;
};

FORCE_INLINE struct short_time take_short_time(const uint8_t *at)
{
    struct short_time time = {.length = 1};
    uint64_t word = load_word(at), number = word & 0x7F;
    time.is_short = !(word & 1);
    if (LIKELY(word & 0x80)) {
        number |= (word & 0x7F00) >> 1;
        time.is_short = !(word & 0x8001) && number > 0x7F;
        time.length = 2;
    }
    time.milliseconds = unzigzag(number >> 1);
    time.word = word >> 8 * time.length;
    return time;
}

/* Up to three numbers of one byte or two within eight bytes; those beyond the count are 0. */
struct short_numbers {
    uint64_t numbers[3];
    unsigned length;
    bool is_long; /* one is longer, or longer than it has to be: nothing here means anything */
};

FORCE_INLINE uint64_t short_number(uint64_t bytes)
{
    return (bytes & 0x7F) | (bytes & 0x80 ? bytes >> 1 & 0x3F80 : 0);
}

FORCE_INLINE struct short_numbers take_short_numbers(const uint8_t *at, unsigned count)
{
    const uint64_t high = 0x8080808080808080;
    struct short_numbers short_ones;
    uint64_t word = load_word(at);
    uint64_t ends = ~word & high;
    uint64_t after_first = ends & (ends - 1);
    uint64_t after_second = after_first & (after_first - 1);
    uint64_t last = count > 2 ? after_second : count > 1 ? after_first : ends;
    uint64_t used = count > 0 ? last ^ (last - 1) : 0;
    uint64_t bytes = word & used;
    uint64_t follow = (bytes & high) << 8;
    uint64_t is_zero = ~((bytes & ~high) + ~high);
    short_ones.length = (unsigned)__builtin_popcountll(used & high);
    short_ones.is_long = (follow & (bytes | is_zero)) || !last;
    uint64_t second = bytes >> (bytes & 0x80 ? 16 : 8);
    short_ones.numbers[0] = short_number(bytes);
    short_ones.numbers[1] = short_number(second);
    short_ones.numbers[2] = short_number(second >> (second & 0x80 ? 16 : 8));
    return short_ones;
}

/* Whether no clock passes the limits by the short times of a whole read-ahead. */
FORCE_INLINE bool is_far_from_limits(const struct lane_state *state)
{
    const int64_t farthest = (int64_t)AHEAD << 13;
    int64_t boot = (int64_t)state->boot;
    return boot < (int64_t)NUMBER_LIMIT - farthest
        && is_within(wrapping_sum(boot, state->difference), NUMBER_LIMIT)
        && is_within(wrapping_sum(boot + farthest, state->difference), NUMBER_LIMIT);
}

/* Contact or none to tell, 20 to 254 BPM, an interval at least. */
FORCE_INLINE bool is_usual(const struct plain_heart *heart)
{
    return (heart->control >> 3 & 3) != 2 && (uint16_t)(heart->bpm - 20) < 235
        && heart->interval_count > 0;
}

FORCE_INLINE void keep_heart(
    struct runs *runs, unsigned index, uint64_t boot, struct plain_heart heart)
{
    runs->entries[index].boot = boot;
    runs->hearts[index] = heart;
    runs->times[index] = (int32_t)boot;
    runs->rates[index] = heart.bpm;
    runs->odd[runs->odd_count] = (uint16_t)index;
    runs->odd_count += !is_usual(&heart);
}

/* Takes values as nearly all are, once one was taken; gives the number of all so far. */
FORCE_INLINE unsigned take_short_hearts(
    struct lane_reader *lane, struct runs *runs, unsigned count, unsigned limit,
    uint32_t *interval, uint64_t spacing)
{
    if (count == 0 || !is_far_from_limits(&lane->state)) return count;
    const uint8_t *at = lane->at;
    uint64_t boot = lane->state.boot;
    uint64_t last = (uint64_t)lane->state.first;
    while (count < limit && lane->end - at >= 12) {
        struct short_time time = take_short_time(at);
        unsigned control = time.word & 0xFF;
        if (UNLIKELY(!time.is_short || (control & 0xE4) || time.milliseconds <= (int64_t)spacing))
            break;
        struct short_numbers ones = take_short_numbers(at + time.length + 2, control & 3);
        uint64_t first = last + (uint64_t)unzigzag(ones.numbers[0]);
        uint64_t second = first + (uint64_t)unzigzag(ones.numbers[1]);
        uint64_t third = second + (uint64_t)unzigzag(ones.numbers[2]);
        if (UNLIKELY(ones.is_long || (first | second | third) >> 16)) break;
        uint64_t packed = first | second << 16 | third << 32;
        memcpy(&runs->intervals[*interval], &packed, sizeof packed);
        boot += (uint64_t)time.milliseconds;
        keep_heart(
            runs, count, boot,
            (struct plain_heart){
                .bpm = time.word >> 8 & 0xFF, .control = (uint8_t)control,
                .interval_count = control & 3, .first_interval = *interval});
        *interval += control & 3;
        at += time.length + 2 + ones.length;
        last = third;
        count += 1;
    }
    lane->at = at;
    lane->state.boot = boot;
    lane->state.first = (int64_t)last;
    return count;
}

static void read_hearts(struct block_reader *reader, struct runs *runs, uint64_t spacing)
{
    struct lane_reader *lane = &reader->lanes[LANE_HEART];
    if (!may_be_plain(lane, KIND_NOTIFIED) || lane->state.device == NO_DEVICE) return;
    unsigned limit = lane->remaining < AHEAD ? (unsigned)lane->remaining : AHEAD;
    unsigned count = 0;
    uint32_t interval = 0;
    uint64_t earliest = 0;
    runs->odd_count = 0;
    while (count < limit) {
        unsigned before_count = count;
        count = take_short_hearts(lane, runs, count, limit, &interval, spacing);
        if (count > before_count) earliest = lane->state.boot + spacing + 1;
        if (count >= limit) break;
        struct lane_state before = lane->state;
        const uint8_t *at = lane->at;
        struct block_event event;
        if (!take_plain(reader, LANE_HEART, BODY_HEART, &event)) break;
        /* With energy it is not plain. */
        if (UNLIKELY(event.heart.control & 0x40 || event.boot < earliest || event.boot == 0)) {
            lane->state = before;
            lane->at = at;
            break;
        }
        memcpy(&runs->intervals[interval], event.heart.intervals, 2 * MAXIMUM_INTERVALS);
        keep_heart(
            runs, count, event.boot,
            (struct plain_heart){
                .bpm = (uint16_t)event.heart.bpm, .control = (uint8_t)event.heart.control,
                .interval_count = (uint8_t)event.heart.interval_count,
                .first_interval = interval});
        interval += (uint32_t)event.heart.interval_count;
        earliest = event.boot + spacing + 1;
        count += 1;
    }
    lane->remaining -= count;
    runs->next[LANE_HEART] = 0;
    runs->end[LANE_HEART] = count;
}

/* The same for counts. */
FORCE_INLINE unsigned take_short_counts(
    struct lane_reader *lane, struct runs *runs, unsigned count, unsigned limit)
{
    if (!is_far_from_limits(&lane->state)) return count;
    const uint8_t *at = lane->at;
    uint64_t boot = lane->state.boot;
    uint64_t steps = (uint64_t)lane->state.first, distance = (uint64_t)lane->state.second;
    while (count < limit && lane->end - at >= 11) {
        struct short_time time = take_short_time(at);
        unsigned control = time.word & 0xFF;
        uint64_t now = boot + (uint64_t)time.milliseconds;
        if (UNLIKELY(!time.is_short || (control & 0xF7) || now >= NUMBER_LIMIT)) break;
        struct short_numbers ones = take_short_numbers(at + time.length + 1, control ? 2 : 1);
        uint64_t sum = steps + (uint64_t)unzigzag(ones.numbers[0]);
        uint64_t length = distance + (uint64_t)unzigzag(ones.numbers[1]);
        if (UNLIKELY(ones.is_long || sum >= NUMBER_LIMIT || length >= NUMBER_LIMIT)) break;
        runs->entries[AHEAD + count].boot = now;
        runs->counts[count] = (struct plain_count){
            .count = sum, .distance = control ? length : 0, .has_distance = control != 0};
        at += time.length + 1 + ones.length;
        boot = now;
        steps = sum;
        distance = length;
        count += 1;
    }
    lane->at = at;
    lane->state.boot = boot;
    lane->state.first = (int64_t)steps;
    lane->state.second = (int64_t)distance;
    return count;
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
        if (form == BODY_COUNT) count = take_short_counts(lane, runs, count, limit);
        if (count >= limit) break;
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
    runs->steps_first = runs->next[LANE_STEPS];
    runs->fixes_first = runs->next[LANE_PLACE];
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
    runs->steps_count = runs->next[LANE_STEPS] - runs->steps_first;
    runs->fixes_end = runs->next[LANE_PLACE];
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
