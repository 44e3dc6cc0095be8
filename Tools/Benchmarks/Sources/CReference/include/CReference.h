/*
 * The yardstick of Tools/Benchmarks: what a C program gains on the same blocks, on liblmdb itself.
 *
 * It writes the block format of Sources/Events/Documentation.docc/RecordFormat.md byte for byte as
 * the Swift package does, into the same table under the same keys with the same LMDB flags. It
 * shares no line with the Swift code, so equal logs are also a second opinion on the format page.
 *
 * It is fast C, and limited: one writer that created its store, and of the totals only the core,
 * added up by a plain loop. Hostile blocks are refused with REF_DAMAGED; nothing is read outside of
 * a block.
 *
 * Functions give 0, or a code that ref_describe() words: above 0 an errno, -30799 and up one of
 * LMDB, or one of those below. A store belongs to one thread at a time.
 */

#ifndef PULSELOG_CREFERENCE_H
#define PULSELOG_CREFERENCE_H

#include <stddef.h>
#include <stdint.h>

enum {
    /* A block contradicts the record format. */
    REF_DAMAGED = -1,
    /* The log has more counters of steps than this reference adds up. */
    REF_UNSUPPORTED = -2,
    /* An event cannot be stored: its kind, version, time or payload is out of range. */
    REF_BAD_EVENT = -3,
    /* Two logs are not equal. */
    REF_DIFFERENT = -4
};

/* The words for a result; never NULL, valid for ever. */
const char *ref_describe(int result);

/* ---- Appending --------------------------------------------------------------------------------*/

/* An envelope, and where its payload stands in the bytes that go with it. */
typedef struct ref_event {
    uint64_t boot_ms;
    int64_t wall_ms;
    uint32_t boot_number;
    uint32_t source;
    uint32_t payload_offset;
    uint16_t payload_size;
    uint16_t version;
    uint8_t flags;
    uint8_t kind;
} ref_event;

typedef struct ref_store ref_store;

/*
 * Opens the store in a directory that exists, and reads and checks its last block; makes it if the
 * directory is empty. A store that holds events already is opened for reading.
 */
int ref_open(const char *directory, ref_store **store);

/* Closes a store; NULL is no store. */
void ref_close(ref_store *store);

/* The position that the next event gets. */
uint64_t ref_next(const ref_store *store);

/*
 * Appends events in one durable transaction. After a failure the store is only good for closing.
 *
 * Limits: payloads of 2,048 bytes, times below 2^53.
 */
int ref_append(ref_store *store, const ref_event *events, size_t count, const uint8_t *payloads);

/* ---- Reading ----------------------------------------------------------------------------------*/

/* Checks the CRC and decodes every event of every block; gives the number of events. */
int ref_verify(ref_store *store, uint64_t *events);

/* Checks one block: the CRC, and every event. The number of events holds if the result is 0. */
int ref_check_block(const uint8_t *block, size_t size, size_t *events);

/*
 * Compares the log tables of two stores, of this program or of the Swift package, that are not open
 * in this process: keys and blocks, byte for byte. Gives the number of equal blocks before the first
 * difference, which is REF_DIFFERENT.
 */
int ref_compare(const char *left, const char *right, uint64_t *equal_blocks);

/* ---- Core totals ------------------------------------------------------------------------------*/

/*
 * What a plain loop over all events adds up, of whatever source.
 *
 * hearts, sum_bpm and maximum_bpm are of every heart rate that decodes: an event of the kind
 * characteristicNotified in version 1 whose payload decodes to its last byte, of the characteristic
 * 0x2A37, and whose value holds its flags, its BPM in one byte or two, and its energy if announced.
 * None of them is excluded: neither 0 nor 255, nor one without contact, in a pause, or that comes a
 * second time.
 *
 * readings are those of counters: events of the kind pedometerRead in version 1 and in the form 0
 * whose payload decodes. steps is how much each counted more than the reading before of the same
 * source and device, where it did; the sum wraps.
 */
typedef struct ref_core {
    uint64_t events;
    uint64_t hearts;
    uint64_t sum_bpm;
    uint64_t maximum_bpm;
    uint64_t readings;
    uint64_t steps;
} ref_core;

/* Adds up the whole log, with the CRC of each block. */
int ref_add_up(ref_store *store, ref_core *totals);

/* ---- Stores without blocks --------------------------------------------------------------------*/

struct core;

/* A store that keeps each event by itself; add_up takes every event in, in order. */
typedef struct ref_contender {
    const char *name;
    int (*open)(const char *directory, void **store);
    void (*close)(void *store);
    int (*append)(void *store, const ref_event *events, size_t count, const uint8_t *payloads);
    int (*add_up)(void *store, struct core *core);
} ref_contender;

/* SQLite with a row for each event, liblmdb with a record for each. */
extern const ref_contender ref_sqlite;
extern const ref_contender ref_records;

/* Adds up a contender's store; no CRC is looked at. */
int ref_contender_add_up(const ref_contender *contender, void *store, ref_core *totals);

#endif
