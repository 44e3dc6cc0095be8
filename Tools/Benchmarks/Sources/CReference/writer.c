#include "writer.h"
#include "payload.h"

#include <string.h>

/* ---- Bytes ------------------------------------------------------------------------------------*/

FORCE_INLINE uint8_t *put_varint(uint8_t *at, uint64_t value)
{
    while (value >= 0x80) {
        *at++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

FORCE_INLINE uint8_t *put_signed(uint8_t *at, int64_t value)
{
    return put_varint(at, zigzag(value));
}

FORCE_INLINE uint8_t *put_le(uint8_t *at, uint64_t value, size_t count)
{
    for (size_t index = 0; index < count; index++) *at++ = (uint8_t)(value >> 8 * index);
    return at;
}

/* ---- Dense bodies -----------------------------------------------------------------------------*/

/* Each gives the end of what it wrote, or NULL with nothing changed where only verbatim will do. */

/*
 * Finds the list index of a device that a body must name; false if the list is full.
 *
 * The index is -1 if the body before was of the same device.
 */
FORCE_INLINE bool find_device(const struct lane_writer *lane, uint64_t device, int *index)
{
    const struct lane_state *state = &lane->state;
    *index = -1;
    if (LIKELY(state->device == device)) return true;
    for (*index = 0; *index < (int)state->device_count; ++*index)
        if (lane->devices[*index] == device) return true;
    return state->device_count < LISTED_DEVICES;
}

/* Writes the control byte, and the reference that find_device() has found. */
FORCE_INLINE uint8_t *put_control(
    struct lane_writer *lane, uint8_t *at, unsigned control, uint64_t device, int index)
{
    if (LIKELY(index < 0)) {
        *at++ = (uint8_t)control;
        return at;
    }
    *at++ = (uint8_t)(control | HAS_REFERENCE);
    *at++ = (uint8_t)index;
    if (index == (int)lane->state.device_count) {
        at = put_le(at, device, 7);
        lane->devices[index] = device;
        lane->state.device_count += 1;
    }
    lane->state.device = device;
    return at;
}

/* Payload: device, characteristic, length of the value, its flags, BPM, energy, RR intervals. */
FORCE_INLINE uint8_t *put_heart(
    struct lane_writer *lane, uint8_t *at, const uint8_t *payload, size_t size)
{
    if (size < 11 || payload[7] != 1 || payload[8] != size - 9) return NULL;
    unsigned flags = payload[9];
    size_t fields = 2 + (flags & 1) + 2 * (flags >> 3 & 1);
    size_t length = payload[8];
    if (flags >= 0x20 || length < fields) return NULL;
    size_t rest = length - fields;
    bool has_intervals = flags & 0x10;
    if (rest % 2 != 0 || rest > 10 || (!has_intervals && rest != 0)) return NULL;
    uint64_t device = load_device(payload);
    int index;
    if (!is_device(device) || !find_device(lane, device, &index)) return NULL;

    size_t count = rest / 2;
    unsigned code = has_intervals ? (count == 0 ? 6 : (unsigned)count) : 0;
    unsigned control = code | (flags >> 1 & 3) << 3 | (flags & 1) << 5 | (flags >> 3 & 1) << 6;
    at = put_control(lane, at, control, device, index);
    const uint8_t *field = payload + 10;
    for (size_t left = fields - 1; left > 0; left--) *at++ = *field++;
    int64_t last = lane->state.first;
    for (; count > 0; count--, field += 2) {
        int64_t interval = load_le(field, 2);
        at = put_signed(at, interval - last);
        last = interval;
    }
    lane->state.first = last;
    return at;
}

/* Payload: device, form, count or value, distance if there. */
FORCE_INLINE uint8_t *put_pedometer(
    struct lane_writer *lane, uint8_t *at, const uint8_t *payload, size_t size)
{
    if (size < 10) return NULL;
    struct payload_reader reader = {.at = payload + 8, .end = payload + size};
    unsigned control;
    uint64_t count = 0;
    size_t length = 0;
    switch (payload[7]) {
    case 0:
        control = 0;
        count = payload_number(&reader);
        break;
    case 5:
        control = 2;
        length = 4 + 2 * (payload[9] & 1) + 4 * (payload[9] >> 1 & 1);
        if (payload[9] > 7 || payload[8] != length || 9 + length >= size) return NULL;
        reader.at += 1 + length;
        break;
    case 6:
        control = 1;
        if (payload[8] != 4 || size < 14) return NULL;
        count = load_le(payload + 9, 4);
        reader.at += 5;
        break;
    default: return NULL;
    }
    bool has_distance = payload_bool(&reader);
    uint64_t distance = has_distance ? payload_number(&reader) : 0;
    uint64_t device = load_device(payload);
    int index;
    if (!payload_is_at_end(&reader) || !is_device(device)
        || !find_device(lane, device, &index))
        return NULL;

    at = put_control(lane, at, control | (has_distance ? HAS_DISTANCE : 0), device, index);
    if (control == 2) {
        memcpy(at, payload + 9, length);
        at += length;
    } else {
        at = put_signed(at, (int64_t)count - lane->state.first);
        lane->state.first = (int64_t)count;
    }
    if (has_distance) {
        at = put_signed(at, (int64_t)distance - lane->state.second);
        lane->state.second = (int64_t)distance;
    }
    return at;
}

/* Payload: latitude, longitude, then five fields that may be there. */
FORCE_INLINE uint8_t *put_position(
    struct lane_writer *lane, uint8_t *at, const uint8_t *payload, size_t size, int64_t wall)
{
    struct payload_reader reader = {.at = payload, .end = payload + size};
    int64_t latitude = payload_signed(&reader, NUMBER_LIMIT);
    int64_t longitude = payload_signed(&reader, NUMBER_LIMIT);
    unsigned control = payload_bool(&reader);
    int64_t altitude = control ? payload_signed(&reader, NUMBER_LIMIT) : 0;
    uint64_t plain[3]; /* accuracy, speed, satellites */
    size_t plain_count = 0;
    for (unsigned bit = 1; bit < 4; bit++)
        if (payload_bool(&reader)) {
            control |= 1u << bit;
            plain[plain_count++] = payload_number(&reader);
        }
    bool has_time = payload_bool(&reader);
    int64_t fixed_at = has_time ? payload_signed(&reader, NUMBER_LIMIT) : 0;
    if (!payload_is_at_end(&reader)) return NULL;

    struct lane_state *state = &lane->state;
    *at++ = (uint8_t)(control | (has_time ? 16 : 0));
    at = put_signed(at, latitude - state->first);
    at = put_signed(at, longitude - state->second);
    state->first = latitude;
    state->second = longitude;
    if (control & 1) {
        at = put_signed(at, altitude - state->third);
        state->third = altitude;
    }
    for (size_t index = 0; index < plain_count; index++) at = put_varint(at, plain[index]);
    return has_time ? put_signed(at, fixed_at - wall) : at;
}

/* ---- Entries ----------------------------------------------------------------------------------*/

/* Makes the event the section's base; gives the bytes that this costs. */
static size_t put_base(struct lane_writer *lane, const ref_event *event)
{
    struct lane_state *state = &lane->state;
    state->boot = event->boot_ms;
    state->difference = event->wall_ms - (int64_t)event->boot_ms;
    state->boot_number = event->boot_number;
    state->source = event->source;
    state->flags = event->flags;
    state->kind = event->kind;
    uint8_t *at = put_varint(lane->base, state->boot);
    at = put_signed(at, state->difference);
    at = put_varint(at, state->boot_number);
    at = put_varint(at, state->source);
    *at++ = state->flags;
    *at++ = state->kind;
    lane->base_size = (size_t)(at - lane->base);
    return lane->base_size;
}

static uint8_t *put_extras(
    struct lane_state *state, uint8_t *at, const ref_event *event, unsigned extras,
    int64_t difference)
{
    *at++ = (uint8_t)extras;
    if (extras & EXTRA_DIFFERENCE) at = put_signed(at, difference - state->difference);
    if (extras & EXTRA_BOOT_NUMBER) at = put_varint(at, event->boot_number);
    if (extras & EXTRA_SOURCE) at = put_varint(at, event->source);
    if (extras & EXTRA_FLAGS) *at++ = event->flags;
    if (extras & EXTRA_KIND) *at++ = event->kind;
    if (extras & EXTRA_VERSION) at = put_varint(at, event->version);
    state->difference = difference;
    state->boot_number = event->boot_number;
    state->source = event->source;
    state->flags = event->flags;
    state->kind = event->kind;
    state->version = event->version;
    return at;
}

FORCE_INLINE uint8_t *put_envelope(struct lane_state *state, uint8_t *at, const ref_event *event)
{
    int64_t difference = event->wall_ms - (int64_t)event->boot_ms;
    unsigned extras = difference != state->difference ? EXTRA_DIFFERENCE : 0;
    if (event->boot_number != state->boot_number) extras |= EXTRA_BOOT_NUMBER;
    if (event->source != state->source) extras |= EXTRA_SOURCE;
    if (event->flags != state->flags) extras |= EXTRA_FLAGS;
    if (event->kind != state->kind) extras |= EXTRA_KIND;
    if (event->version != state->version) extras |= EXTRA_VERSION;
    uint64_t step = zigzag((int64_t)event->boot_ms - (int64_t)state->boot);
    state->boot = event->boot_ms;
    at = put_varint(at, step << 1 | (extras != 0));
    return UNLIKELY(extras) ? put_extras(state, at, event, extras, difference) : at;
}

FORCE_INLINE uint8_t *put_body(
    struct lane_writer *lane, uint8_t *at, const ref_event *event, const uint8_t *payload)
{
    size_t size = event->payload_size;
    if (event->version == 1) {
        uint8_t *end = NULL;
        uint8_t verbatim = VERBATIM;
        switch (event->kind) {
        case KIND_NOTIFIED: end = put_heart(lane, at, payload, size); break;
        case KIND_PEDOMETER_READ: end = put_pedometer(lane, at, payload, size); break;
        case KIND_POSITION_FIXED:
            end = put_position(lane, at, payload, size, event->wall_ms);
            verbatim = VERBATIM_POSITION;
            break;
        default: verbatim = 0;
        }
        if (end) return end;
        if (verbatim) *at++ = verbatim;
    }
    at = put_varint(at, size);
    if (size > 0) memcpy(at, payload, size);
    return at + size;
}

/* ---- The block --------------------------------------------------------------------------------*/

void writer_begin(struct block_writer *writer, uint64_t first)
{
    writer->first = first;
    writer->count = 0;
    writer->size = HEADER_BYTES + varint_size(first);
    writer->has_day_record = false;
    for (size_t number = 0; number < LANES; number++) {
        struct lane_writer *lane = &writer->lanes[number];
        lane->state = BLANK_LANE_STATE;
        lane->index += lane->count;
        lane->count = 0;
        lane->base_size = 0;
        lane->size = 0;
        writer->size += 1 + varint_size(lane->index);
    }
}

/* Whether the record of a day would not stand alone in the section of days. */
static bool is_day_taken(struct block_writer *writer, const ref_event *event)
{
    bool is_record = event->kind == KIND_DAY_RECORDED && event->source == 0;
    if (writer->lanes[LANE_DAY].count > 0 && (is_record || writer->has_day_record)) return true;
    writer->has_day_record = is_record;
    return false;
}

bool writer_append(struct block_writer *writer, const ref_event *event, const uint8_t *payload)
{
    struct lane_writer *lane = &writer->lanes[event->kind >> 5];
    if (UNLIKELY(event->kind >> 5 == LANE_DAY) && is_day_taken(writer, event)) return false;
    bool is_tight = writer->size + event->payload_size + ENTRY_BYTES > BLOCK_BYTES;
    struct lane_state before;
    if (UNLIKELY(is_tight)) before = lane->state;

    size_t added = 1;
    if (UNLIKELY(lane->count == 0)) added += put_base(lane, event);
    uint8_t *start = lane->bytes + lane->size;
    uint8_t *at = put_envelope(&lane->state, start, event);
    at = put_body(lane, at, event, payload);
    added += (size_t)(at - start);
    /* The head's count takes a second byte from 128 on; 16,384 do not fit into a block. */
    if (UNLIKELY(lane->count == 127)) added += 1;

    if (UNLIKELY(is_tight) && writer->size + added > BLOCK_BYTES) {
        lane->state = before;
        return false;
    }
    lane->size += (size_t)(at - start);
    lane->count += 1;
    writer->size += added;
    writer->order[writer->count++] = event->kind >> 5;
    return true;
}

void writer_put_together(const struct block_writer *writer, uint8_t *block)
{
    uint8_t *lengths = block + 8;
    uint8_t *at = put_varint(block + HEADER_BYTES, writer->first);
    memcpy(at, writer->order, writer->count);
    at += writer->count;
    lengths = put_le(lengths, (uint64_t)(at - block) - HEADER_BYTES, 2);
    for (size_t number = 0; number < LANES; number++) {
        const struct lane_writer *lane = &writer->lanes[number];
        const uint8_t *start = at;
        at = put_varint(at, lane->count);
        at = put_varint(at, lane->index);
        if (lane->count > 0) {
            memcpy(at, lane->base, lane->base_size);
            at += lane->base_size;
            memcpy(at, lane->bytes, lane->size);
            at += lane->size;
        }
        lengths = put_le(lengths, (uint64_t)(at - start), 2);
    }
    put_le(block + 4, BLOCK_FORMAT, 2);
    put_le(block + 6, writer->count, 2);
    put_le(block, crc32c(block + 4, (size_t)(at - block) - 4), 4);
}
