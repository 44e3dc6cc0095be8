/*
 * Reads the fields of a payload, strictly, as the format page demands.
 *
 * Past the end or malformed a reader is bad for good; the caller looks once, at the end.
 */

#ifndef PULSELOG_PAYLOAD_H
#define PULSELOG_PAYLOAD_H

#include "format.h"

struct payload_reader {
    const uint8_t *at;
    const uint8_t *end;
    bool is_bad;
};

static inline bool payload_is_at_end(const struct payload_reader *reader)
{
    return !reader->is_bad && reader->at == reader->end;
}

static inline uint8_t payload_byte(struct payload_reader *reader)
{
    if (reader->at == reader->end) {
        reader->is_bad = true;
        return 0;
    }
    return *reader->at++;
}

/* A varint in its shortest form, of at most 56 bits: all that stays below 2^53 when decoded. */
static inline uint64_t payload_varint(struct payload_reader *reader)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 56; shift += 7) {
        uint8_t byte = payload_byte(reader);
        value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            if (byte == 0 && shift > 0) reader->is_bad = true;
            return value;
        }
    }
    reader->is_bad = true;
    return 0;
}

/* A number below 2^53. */
static inline uint64_t payload_number(struct payload_reader *reader)
{
    uint64_t value = payload_varint(reader);
    if (value >= NUMBER_LIMIT) reader->is_bad = true;
    return value;
}

/* A signed number whose magnitude is below a limit, which is at most 2^53. */
static inline int64_t payload_signed(struct payload_reader *reader, uint64_t limit)
{
    int64_t value = unzigzag(payload_varint(reader));
    if (!is_within(value, limit)) reader->is_bad = true;
    return value;
}

static inline bool payload_bool(struct payload_reader *reader)
{
    uint8_t byte = payload_byte(reader);
    if (byte > 1) reader->is_bad = true;
    return byte == 1;
}

/* The device at the reader's place. */
static inline uint64_t payload_device(struct payload_reader *reader)
{
    if (reader->end - reader->at < 7) {
        reader->is_bad = true;
        return NO_DEVICE;
    }
    uint64_t device = load_device(reader->at);
    reader->at += 7;
    if (!is_device(device)) reader->is_bad = true;
    return device;
}

#endif
