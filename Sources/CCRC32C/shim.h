/*
 * CRC-32C by the processor's instruction: SSE 4.2 on x86-64, the CRC extension of ARMv8 on arm64.
 *
 * Compiled in every build and called only where the processor has it, so one binary runs on all.
 */

#ifndef PULSELOG_CRC32C_H
#define PULSELOG_CRC32C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)

#define CRC32C_TARGET __attribute__((target("sse4.2")))
#define CRC32C_WORD(remainder, word) ((uint32_t)__builtin_ia32_crc32di(remainder, word))
#define CRC32C_BYTE(remainder, byte) __builtin_ia32_crc32qi(remainder, byte)

static inline bool crc32c_has_instruction(void)
{
    return __builtin_cpu_supports("sse4.2");
}

#elif defined(__aarch64__)

#include <sys/auxv.h>

#define CRC32C_TARGET __attribute__((target("crc")))
#define CRC32C_WORD(remainder, word) __builtin_arm_crc32cd(remainder, word)
#define CRC32C_BYTE(remainder, byte) __builtin_arm_crc32cb(remainder, byte)

static inline bool crc32c_has_instruction(void)
{
    return getauxval(AT_HWCAP) & (1UL << 7); /* HWCAP_CRC32 */
}

#else

#define CRC32C_TARGET
#define CRC32C_WORD(remainder, word) ((void)(word), remainder)
#define CRC32C_BYTE(remainder, byte) ((void)(byte), remainder)

static inline bool crc32c_has_instruction(void)
{
    return false;
}

#endif

/* The remainder after `count` more bytes; only where crc32c_has_instruction(). */
CRC32C_TARGET static inline uint32_t crc32c_update(
    uint32_t remainder, const uint8_t *bytes, size_t count)
{
    for (; count >= 8; bytes += 8, count -= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        remainder = CRC32C_WORD(remainder, word);
    }
    for (; count > 0; bytes++, count--) remainder = CRC32C_BYTE(remainder, *bytes);
    return remainder;
}

#endif
