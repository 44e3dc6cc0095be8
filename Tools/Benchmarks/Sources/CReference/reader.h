/*
 * Walks the events of one block in the order of the log.
 *
 * Everything is inlined into the two loops that use it (core.c and verify in store.c). Dense bodies
 * are decoded to all their fields, and not back to payloads: that is what a C program would do that
 * knows the format. Kept of them is what the core totals need.
 *
 * Each section has its own end, and nothing beyond it is read. A fault makes the walk bad for good.
 */

#ifndef PULSELOG_READER_H
#define PULSELOG_READER_H

#include "format.h"

struct lane_reader {
    const uint8_t *at;
    const uint8_t *end;
    struct lane_state state;
    uint64_t remaining;
    uint64_t index; /* of the next entry within the lane */
    uint64_t devices[LISTED_DEVICES];
};

struct block_reader {
    const uint8_t *order;
    size_t remaining;
    uint64_t position; /* of the next event */
    bool is_bad;
    struct lane_reader lanes[LANES];
};

/* How the body of an event stands in its block, and which fields below hold. */
enum body_form { BODY_PAYLOAD, BODY_HEART, BODY_COUNT, BODY_OTHER };

struct block_event {
    uint64_t position;
    uint64_t boot;
    int64_t wall;
    uint32_t boot_number;
    uint32_t source;
    uint16_t version;
    uint8_t flags;
    uint8_t kind;
    enum body_form form;

    const uint8_t *payload; /* BODY_PAYLOAD */
    size_t payload_size;

    uint64_t device; /* BODY_HEART and BODY_COUNT */
    unsigned bpm; /* BODY_HEART */
    uint64_t count; /* BODY_COUNT: of a counter */
};

/* ---- Numbers of a section ---------------------------------------------------------------------*/

FORCE_INLINE uint8_t take_byte(struct block_reader *reader, struct lane_reader *lane)
{
    if (UNLIKELY(lane->at == lane->end)) {
        reader->is_bad = true;
        return 0;
    }
    return *lane->at++;
}

static inline __attribute__((noinline)) uint64_t take_long_varint(
    struct block_reader *reader, struct lane_reader *lane)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        uint8_t byte = take_byte(reader, lane);
        value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            if ((byte == 0 && shift > 0) || (shift == 63 && byte > 1)) reader->is_bad = true;
            return value;
        }
    }
    reader->is_bad = true;
    return value;
}

/* Whether a number takes one byte or two is not to be foretold, so that no branch asks. */
FORCE_INLINE uint64_t take_varint(struct block_reader *reader, struct lane_reader *lane)
{
    const uint8_t *at = lane->at;
    if (LIKELY(lane->end - at >= 2)) {
        uint64_t word = at[0] | (uint64_t)at[1] << 8;
        uint64_t is_long = word >> 7 & 1;
        uint64_t high = word >> 8 & (0 - is_long);
        if (LIKELY(high - is_long < 0x80 - is_long)) {
            lane->at = at + 1 + is_long;
            return (word & 0x7F) | high << 7;
        }
    }
    return take_long_varint(reader, lane);
}

FORCE_INLINE int64_t take_signed(struct block_reader *reader, struct lane_reader *lane)
{
    return unzigzag(take_varint(reader, lane));
}

FORCE_INLINE uint64_t take_le(struct block_reader *reader, struct lane_reader *lane, size_t count)
{
    if (UNLIKELY((size_t)(lane->end - lane->at) < count)) {
        reader->is_bad = true;
        return 0;
    }
    uint64_t value = 0;
    for (size_t index = 0; index < count; index++) value |= (uint64_t)lane->at[index] << 8 * index;
    lane->at += count;
    return value;
}

/* A value plus the difference that follows, if the sum is within plus or minus 2^53. */
FORCE_INLINE int64_t take_difference(
    struct block_reader *reader, struct lane_reader *lane, int64_t value)
{
    int64_t sum;
    if (UNLIKELY(__builtin_add_overflow(value, take_signed(reader, lane), &sum)
                 || !is_within(sum, NUMBER_LIMIT))) {
        reader->is_bad = true;
        return 0;
    }
    return sum;
}

/* ---- The head ---------------------------------------------------------------------------------*/

static inline bool is_kind_of_lane(unsigned kind, size_t lane)
{
    return kind >> 5 == lane && (kind & 0x1F) != 0;
}

static inline bool reader_take_head(struct block_reader *reader, size_t number)
{
    struct lane_reader *lane = &reader->lanes[number];
    lane->state = BLANK_LANE_STATE;
    lane->remaining = take_varint(reader, lane);
    lane->index = take_varint(reader, lane);
    if (reader->is_bad || lane->remaining > reader->remaining || lane->index >= NUMBER_LIMIT)
        return false;
    if (lane->remaining == 0) return true;
    uint64_t boot = take_varint(reader, lane);
    int64_t difference = take_signed(reader, lane);
    uint64_t boot_number = take_varint(reader, lane);
    uint64_t source = take_varint(reader, lane);
    lane->state.boot = boot;
    lane->state.difference = difference;
    lane->state.boot_number = (uint32_t)boot_number;
    lane->state.source = (uint32_t)source;
    lane->state.flags = take_byte(reader, lane);
    lane->state.kind = take_byte(reader, lane);
    return !reader->is_bad && boot < NUMBER_LIMIT && is_within(difference, 2 * NUMBER_LIMIT)
        && boot_number <= UINT32_MAX && source <= UINT32_MAX
        && is_kind_of_lane(lane->state.kind, number);
}

/* Begins the walk; false if the header and the heads contradict each other or the size. */
static inline bool reader_begin(struct block_reader *reader, const uint8_t *block, size_t size)
{
    if (size <= HEADER_BYTES || size > BLOCK_BYTES || load_le(block + 4, 2) != BLOCK_FORMAT)
        return false;
    reader->is_bad = false;
    reader->remaining = load_le(block + 6, 2);
    const uint8_t *at = block + HEADER_BYTES;
    const uint8_t *end = block + size;
    size_t order_size = load_le(block + 8, 2);
    if (reader->remaining == 0 || order_size > (size_t)(end - at)) return false;

    struct lane_reader order = {.at = at, .end = at + order_size};
    reader->position = take_varint(reader, &order);
    reader->order = order.at;
    at = order.end;
    if (reader->is_bad || (size_t)(order.end - order.at) != reader->remaining
        || reader->position >= NUMBER_LIMIT - reader->remaining)
        return false;

    uint64_t total = 0;
    for (size_t number = 0; number < LANES; number++) {
        size_t length = load_le(block + 10 + 2 * number, 2);
        if (length > (size_t)(end - at)) return false;
        reader->lanes[number].at = at;
        reader->lanes[number].end = at + length;
        at += length;
        if (!reader_take_head(reader, number)) return false;
        total += reader->lanes[number].remaining;
    }
    return at == end && total == reader->remaining;
}

/* Whether a block whose events have all been taken is consumed exactly. */
static inline bool reader_is_at_end(const struct block_reader *reader)
{
    if (reader->is_bad || reader->remaining != 0) return false;
    for (size_t number = 0; number < LANES; number++)
        if (reader->lanes[number].at != reader->lanes[number].end
            || reader->lanes[number].remaining != 0)
            return false;
    return true;
}

/* ---- Entries ----------------------------------------------------------------------------------*/

static inline __attribute__((noinline)) void reader_take_extras(
    struct block_reader *reader, struct lane_reader *lane, size_t number)
{
    struct lane_state *state = &lane->state;
    unsigned extras = take_byte(reader, lane);
    if (extras == 0 || extras >= 0x40) reader->is_bad = true;
    if (extras & EXTRA_DIFFERENCE) {
        int64_t change = take_signed(reader, lane);
        if (__builtin_add_overflow(state->difference, change, &state->difference)
            || !is_within(state->difference, 2 * NUMBER_LIMIT))
            reader->is_bad = true;
    }
    if (extras & EXTRA_BOOT_NUMBER) {
        uint64_t boot_number = take_varint(reader, lane);
        if (boot_number > UINT32_MAX) reader->is_bad = true;
        state->boot_number = (uint32_t)boot_number;
    }
    if (extras & EXTRA_SOURCE) {
        uint64_t source = take_varint(reader, lane);
        if (source > UINT32_MAX) reader->is_bad = true;
        state->source = (uint32_t)source;
    }
    if (extras & EXTRA_FLAGS) state->flags = take_byte(reader, lane);
    if (extras & EXTRA_KIND) {
        state->kind = take_byte(reader, lane);
        if (!is_kind_of_lane(state->kind, number)) reader->is_bad = true;
    }
    if (extras & EXTRA_VERSION) {
        uint64_t version = take_varint(reader, lane);
        if (version == 0 || version > UINT16_MAX) reader->is_bad = true;
        state->version = (uint16_t)version;
    }
}

static inline __attribute__((noinline)) void reader_take_reference(
    struct block_reader *reader, struct lane_reader *lane)
{
    uint32_t index = take_byte(reader, lane);
    uint32_t count = lane->state.device_count;
    if (index == count && index < LISTED_DEVICES) {
        uint64_t device = take_le(reader, lane, 7);
        if (!is_device(device)) reader->is_bad = true;
        lane->devices[index] = device;
        lane->state.device_count = count + 1;
    } else if (index >= count) {
        reader->is_bad = true;
        return;
    }
    lane->state.device = lane->devices[index];
}

FORCE_INLINE uint64_t take_device(
    struct block_reader *reader, struct lane_reader *lane, unsigned control)
{
    if (UNLIKELY(control & HAS_REFERENCE)) reader_take_reference(reader, lane);
    if (UNLIKELY(lane->state.device == NO_DEVICE)) reader->is_bad = true;
    return lane->state.device;
}

FORCE_INLINE void reader_take_payload(
    struct block_reader *reader, struct lane_reader *lane, struct block_event *event)
{
    uint64_t size = take_varint(reader, lane);
    if (UNLIKELY(size > PAYLOAD_BYTES || size > (uint64_t)(lane->end - lane->at))) {
        reader->is_bad = true;
        size = 0;
    }
    event->form = BODY_PAYLOAD;
    event->payload = lane->at;
    event->payload_size = (size_t)size;
    lane->at += size;
}

FORCE_INLINE void reader_take_heart(
    struct block_reader *reader, struct lane_reader *lane, struct block_event *event)
{
    unsigned control = take_byte(reader, lane);
    unsigned code = control & 7;
    if (UNLIKELY(code == VERBATIM)) {
        if (control != VERBATIM) reader->is_bad = true;
        reader_take_payload(reader, lane, event);
        return;
    }
    event->form = BODY_HEART;
    event->device = take_device(reader, lane, control);
    event->bpm = take_byte(reader, lane);
    if (UNLIKELY(control & 0x20)) event->bpm |= (unsigned)take_byte(reader, lane) << 8;
    if (UNLIKELY(control & 0x40)) take_le(reader, lane, 2); /* energy */
    size_t count = code == 6 ? 0 : code;
    int64_t last = lane->state.first;
    for (size_t index = 0; index < count; index++) {
        last = wrapping_sum(last, take_signed(reader, lane));
        if (UNLIKELY(last < 0 || last > UINT16_MAX)) {
            reader->is_bad = true;
            last = 0;
        }
    }
    lane->state.first = last;
}

FORCE_INLINE void reader_take_pedometer(
    struct block_reader *reader, struct lane_reader *lane, struct block_event *event)
{
    unsigned control = take_byte(reader, lane);
    unsigned form = control & 7;
    if (UNLIKELY(control == VERBATIM)) {
        reader_take_payload(reader, lane, event);
        return;
    }
    if (UNLIKELY(form > 2 || control & 0x70)) reader->is_bad = true;
    event->device = take_device(reader, lane, control);
    if (UNLIKELY(form == 2)) {
        unsigned flags = lane->at < lane->end ? *lane->at : 8;
        size_t length = 4 + 2 * (flags & 1) + 4 * (flags >> 1 & 1);
        event->form = BODY_OTHER;
        if (flags > 7 || (size_t)(lane->end - lane->at) < length)
            reader->is_bad = true;
        else
            lane->at += length;
    } else {
        int64_t count = take_difference(reader, lane, lane->state.first);
        if (UNLIKELY(count < 0 || (form == 1 && count > UINT32_MAX))) reader->is_bad = true;
        lane->state.first = count;
        event->form = form == 0 ? BODY_COUNT : BODY_OTHER;
        event->count = (uint64_t)count;
    }
    if (UNLIKELY(control & HAS_DISTANCE)) {
        int64_t distance = take_difference(reader, lane, lane->state.second);
        if (distance < 0) reader->is_bad = true;
        lane->state.second = distance;
    }
}

FORCE_INLINE void reader_take_position(
    struct block_reader *reader, struct lane_reader *lane, struct block_event *event)
{
    struct lane_state *state = &lane->state;
    unsigned control = take_byte(reader, lane);
    if (UNLIKELY(control == VERBATIM_POSITION)) {
        reader_take_payload(reader, lane, event);
        return;
    }
    if (UNLIKELY(control > 31)) reader->is_bad = true;
    event->form = BODY_OTHER;
    state->first = take_difference(reader, lane, state->first);
    state->second = take_difference(reader, lane, state->second);
    if (control & 1) state->third = take_difference(reader, lane, state->third);
    for (unsigned bit = 2; bit <= 8; bit <<= 1) /* accuracy, speed, satellites */
        if (control & bit) take_varint(reader, lane);
    if (control & 16) take_difference(reader, lane, event->wall);
}

/* Takes the next entry of a lane, of which there is one; false if the block is damaged here. */
FORCE_INLINE bool reader_take_entry(
    struct block_reader *reader, size_t number, struct block_event *event)
{
    struct lane_reader *lane = &reader->lanes[number];
    struct lane_state *state = &lane->state;
    uint64_t word = take_varint(reader, lane);
    int64_t boot = wrapping_sum((int64_t)state->boot, unzigzag(word >> 1));
    if (UNLIKELY(boot < 0 || !is_within(boot, NUMBER_LIMIT))) return false;
    state->boot = (uint64_t)boot;
    if (UNLIKELY(word & 1)) reader_take_extras(reader, lane, number);
    event->boot = (uint64_t)boot;
    event->wall = wrapping_sum(boot, state->difference);
    event->boot_number = state->boot_number;
    event->source = state->source;
    event->flags = state->flags;
    event->kind = state->kind;
    event->version = state->version;
    if (UNLIKELY(!is_within(event->wall, NUMBER_LIMIT))) return false;

    if (LIKELY(state->version == 1)) {
        switch (state->kind) {
        case KIND_NOTIFIED: reader_take_heart(reader, lane, event); break;
        case KIND_PEDOMETER_READ: reader_take_pedometer(reader, lane, event); break;
        case KIND_POSITION_FIXED: reader_take_position(reader, lane, event); break;
        default: reader_take_payload(reader, lane, event);
        }
    } else {
        reader_take_payload(reader, lane, event);
    }
    return !reader->is_bad;
}

/* Takes the next event; false if the block is damaged here. There is one still to come. */
FORCE_INLINE bool reader_next(struct block_reader *reader, struct block_event *event)
{
    size_t number = *reader->order++;
    if (UNLIKELY(number >= LANES || reader->lanes[number].remaining == 0)) return false;
    event->position = reader->position;
    if (UNLIKELY(!reader_take_entry(reader, number, event))) return false;
    reader->lanes[number].remaining -= 1;
    reader->position += 1;
    reader->remaining -= 1;
    return true;
}

#endif
