/*
 * Numbers and encodings of the block format, for the writer and the reader.
 *
 * Everything is little-endian byte by byte, so that the code runs on any machine.
 */

#ifndef PULSELOG_FORMAT_H
#define PULSELOG_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define FORCE_INLINE static inline __attribute__((always_inline))

enum {
    LANES = 7,
    BLOCK_BYTES = 4080,
    HEADER_BYTES = 24,
    BLOCK_FORMAT = 1,
    LISTED_DEVICES = 32,
    PAYLOAD_BYTES = 2048,
    VALUE_BYTES = 512,

    LANE_DAY = 6,

    EXTRA_DIFFERENCE = 1,
    EXTRA_BOOT_NUMBER = 2,
    EXTRA_SOURCE = 4,
    EXTRA_FLAGS = 8,
    EXTRA_KIND = 16,
    EXTRA_VERSION = 32,

    VERBATIM = 7,
    VERBATIM_POSITION = 255,
    HAS_DISTANCE = 0x08,
    HAS_REFERENCE = 0x80
};

enum {
    KIND_NOTIFIED = 0x41,
    KIND_PEDOMETER_READ = 0x61,
    KIND_POSITION_FIXED = 0xA1,
    KIND_DAY_RECORDED = 0xC2
};

/* No number of the format reaches this. */
#define NUMBER_LIMIT (UINT64_C(1) << 53)

/* A device's seven bytes as a number: 48 bits of address, 8 of space. This one is none. */
#define NO_DEVICE UINT64_MAX

/* What the entries of a lane section are relative to, for the writer and the reader. */
struct lane_state {
    uint64_t boot;
    int64_t difference; /* wall minus boot */
    uint32_t boot_number;
    uint32_t source;
    uint16_t version;
    uint8_t flags;
    uint8_t kind;
    uint32_t device_count;
    uint64_t device;
    int64_t first;  /* RR interval, count or latitude */
    int64_t second; /* distance or longitude */
    int64_t third;  /* altitude */
};

#define BLANK_LANE_STATE ((struct lane_state){.version = 1, .device = NO_DEVICE})

FORCE_INLINE uint64_t zigzag(int64_t value)
{
    uint64_t sign = value < 0 ? UINT64_MAX : 0;
    return (uint64_t)value << 1 ^ sign;
}

FORCE_INLINE int64_t unzigzag(uint64_t value)
{
    return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

/* The sum as if both were unsigned: wraps where a hostile block makes it. */
FORCE_INLINE int64_t wrapping_sum(int64_t left, int64_t right)
{
    return (int64_t)((uint64_t)left + (uint64_t)right);
}

FORCE_INLINE int64_t wrapping_difference(int64_t left, int64_t right)
{
    return (int64_t)((uint64_t)left - (uint64_t)right);
}

/* Whether |value| is below a limit. */
FORCE_INLINE bool is_within(int64_t value, uint64_t limit)
{
    return (value < 0 ? 0 - (uint64_t)value : (uint64_t)value) < limit;
}

FORCE_INLINE size_t varint_size(uint64_t value)
{
    size_t size = 1;
    while (value >= 0x80) {
        value >>= 7;
        size += 1;
    }
    return size;
}

FORCE_INLINE uint32_t load_le(const uint8_t *bytes, size_t count)
{
    uint32_t value = 0;
    for (size_t index = 0; index < count; index++) value |= (uint32_t)bytes[index] << 8 * index;
    return value;
}

/* Seven bytes of device as a number. The caller knows them to be there. */
FORCE_INLINE uint64_t load_device(const uint8_t *bytes)
{
    return load_le(bytes, 4) | (uint64_t)load_le(bytes + 4, 3) << 32;
}

/* Addresses have four spaces. */
FORCE_INLINE bool is_device(uint64_t device)
{
    return device >> 48 <= 3;
}

/* CRC-32C (Castagnoli), reflected, initial and final value all ones. */
uint32_t crc32c(const uint8_t *bytes, size_t count);

#endif
