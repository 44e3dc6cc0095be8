/*
 * CRC-32C: by the instruction of SSE 4.2 where the processor has it, else by tables.
 *
 * The instruction is used on purpose: the reference is the best C, and Swift must bear the
 * comparison. It is chosen at run time, so that the program builds for and runs on any x86-64.
 */

#include "format.h"

#include <pthread.h>
#include <string.h>

static uint32_t tables[8][256];
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

static void make_tables(void)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t remainder = byte;
        for (int bit = 0; bit < 8; bit++)
            remainder = remainder & 1 ? remainder >> 1 ^ UINT32_C(0x82F63B78) : remainder >> 1;
        tables[0][byte] = remainder;
    }
    for (int table = 1; table < 8; table++)
        for (uint32_t byte = 0; byte < 256; byte++) {
            uint32_t before = tables[table - 1][byte];
            tables[table][byte] = before >> 8 ^ tables[0][before & 0xFF];
        }
}

static uint32_t crc32c_tables(const uint8_t *bytes, size_t count)
{
    pthread_once(&tables_once, make_tables);
    uint32_t remainder = UINT32_MAX;
    for (; count >= 8; bytes += 8, count -= 8) {
        uint32_t low = remainder ^ load_le(bytes, 4);
        uint32_t high = load_le(bytes + 4, 4);
        remainder = tables[7][low & 0xFF] ^ tables[6][low >> 8 & 0xFF]
            ^ tables[5][low >> 16 & 0xFF] ^ tables[4][low >> 24] ^ tables[3][high & 0xFF]
            ^ tables[2][high >> 8 & 0xFF] ^ tables[1][high >> 16 & 0xFF] ^ tables[0][high >> 24];
    }
    for (; count > 0; bytes++, count--)
        remainder = remainder >> 8 ^ tables[0][(remainder ^ *bytes) & 0xFF];
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
                                            : crc32c_tables(bytes, count);
}

#else

uint32_t crc32c(const uint8_t *bytes, size_t count)
{
    return crc32c_tables(bytes, count);
}

#endif
