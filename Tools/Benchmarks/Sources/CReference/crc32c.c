/*
 * CRC-32C: by the instruction of SSE 4.2 where the processor has it, else bit by bit.
 *
 * The instruction is used on purpose: the reference is the best C, and Swift must bear the
 * comparison. It is chosen at run time, so that the program builds for and runs on any processor;
 * without it the reference is slow.
 */

#include "format.h"

static uint32_t crc32c_bitwise(const uint8_t *bytes, size_t count)
{
    uint32_t remainder = UINT32_MAX;
    for (; count > 0; bytes++, count--) {
        remainder ^= *bytes;
        for (int bit = 0; bit < 8; bit++)
            remainder = remainder & 1 ? remainder >> 1 ^ UINT32_C(0x82F63B78) : remainder >> 1;
    }
    return ~remainder;
}

#if defined(__x86_64__)

#include <nmmintrin.h>

__attribute__((target("sse4.2"))) static uint32_t crc32c_sse42(const uint8_t *bytes, size_t count)
{
    uint64_t remainder = UINT32_MAX;
    for (; count >= 8; bytes += 8, count -= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        remainder = _mm_crc32_u64(remainder, word);
    }
    uint32_t rest = (uint32_t)remainder;
    for (; count > 0; bytes++, count--) rest = _mm_crc32_u8(rest, *bytes);
    return ~rest;
}

uint32_t crc32c(const uint8_t *bytes, size_t count)
{
    return __builtin_cpu_supports("sse4.2") ? crc32c_sse42(bytes, count)
                                            : crc32c_bitwise(bytes, count);
}

#else

uint32_t crc32c(const uint8_t *bytes, size_t count)
{
    return crc32c_bitwise(bytes, count);
}

#endif
