#include "rows.h"

#include "payload.h"

/* Reads a strap's value; false if it is none that a dense body can hold. */
static bool heart_of(struct payload_reader *reader, struct block_event *event)
{
    if (payload_byte(reader) != 1) return false; /* the characteristic: a measurement */
    uint64_t size = payload_varint(reader);
    unsigned flags = payload_byte(reader);
    struct heart_value *value = &event->heart;
    bool is_wide = flags & 1, has_energy = flags & 8, has_intervals = flags & 0x10;
    size_t fixed = 2 + is_wide + 2 * has_energy;
    if (reader->is_bad || flags > 0x1F || size < fixed
        || size - 1 != (uint64_t)(reader->end - reader->at))
        return false;
    size_t count = (size - fixed) / 2;
    if ((size - fixed) % 2 != 0 || count > MAXIMUM_INTERVALS || (!has_intervals && count > 0))
        return false;
    const uint8_t *at = reader->at;
    value->bpm = at[0] | (is_wide ? at[1] << 8 : 0);
    unsigned code = !has_intervals ? 0 : count == 0 ? 6 : (unsigned)count;
    value->control = code | (flags >> 1 & 3) << 3 | (unsigned)is_wide << 5
        | (unsigned)has_energy << 6;
    value->interval_count = count;
    at += fixed - 1;
    uint64_t first = value->control | (uint64_t)value->bpm << 8;
    if (has_energy) first |= (uint64_t)load_le(at - 2, 2) << 24;
    uint64_t others = 0;
    for (size_t index = 0; index < count; index++) {
        uint64_t interval = load_le(at + 2 * index, 2);
        value->intervals[index] = (uint16_t)interval;
        if (index < 4)
            others = others << 16 | interval;
        else
            first |= interval << 40;
    }
    value->words[0] = first;
    value->words[1] = others;
    event->form = BODY_HEART;
    return true;
}

static bool count_of(struct payload_reader *reader, struct block_event *event)
{
    if (payload_byte(reader) != 0) return false; /* the form: a counter */
    event->count = payload_number(reader);
    event->has_distance = payload_bool(reader);
    if (event->has_distance) event->distance = payload_number(reader);
    event->form = BODY_COUNT;
    return payload_is_at_end(reader);
}

static bool fix_of(struct payload_reader *reader, struct block_event *event)
{
    struct fix *fix = &event->fix;
    fix->latitude = payload_signed(reader, NUMBER_LIMIT);
    fix->longitude = payload_signed(reader, NUMBER_LIMIT);
    fix->has_altitude = payload_bool(reader);
    if (fix->has_altitude) fix->altitude = payload_signed(reader, NUMBER_LIMIT);
    if (payload_bool(reader)) fix->accuracy = payload_number(reader);
    if (payload_bool(reader)) payload_number(reader); /* speed */
    if (payload_bool(reader)) payload_number(reader); /* satellites */
    fix->has_fixed_at = payload_bool(reader);
    if (fix->has_fixed_at) fix->fixed_at = payload_signed(reader, NUMBER_LIMIT);
    event->form = BODY_POSITION;
    return payload_is_at_end(reader);
}

int rows_fold(
    struct fold *fold, uint64_t position, const ref_event *row, const uint8_t *payload)
{
    struct block_event event = {
        .position = position, .boot = row->boot_ms, .wall = row->wall_ms,
        .boot_number = row->boot_number, .source = row->source, .version = row->version,
        .flags = row->flags, .kind = row->kind, .form = BODY_PAYLOAD, .payload = payload,
        .payload_size = row->payload_size};
    struct payload_reader reader = {.at = payload, .end = payload + row->payload_size};
    bool is_read = true;
    switch (row->kind) {
    case KIND_NOTIFIED:
        event.device = payload_device(&reader);
        is_read = heart_of(&reader, &event);
        break;
    case KIND_PEDOMETER_READ:
        event.device = payload_device(&reader);
        is_read = count_of(&reader, &event);
        break;
    case KIND_POSITION_FIXED: is_read = fix_of(&reader, &event); break;
    default: break;
    }
    if (!is_read || reader.is_bad) return REF_UNSUPPORTED;
    return fold_single(fold, &event);
}
