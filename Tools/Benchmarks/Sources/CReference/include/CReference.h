/*
 * The yardstick of Tools/Benchmarks: what a C program gains on the same blocks, on liblmdb itself.
 *
 * It writes the block format of Sources/Events/Documentation.docc/RecordFormat.md byte for byte as
 * the Swift package does, into the same table under the same keys with the same LMDB flags, and it
 * folds such a log to the same totals. It shares no line with the Swift code, so equal logs and
 * equal totals are also a second opinion on the format page.
 *
 * It is fast C, and limited: one writer that created its store, and a fold for what the standard
 * mixture holds (the live source, one boot, one strap, one counting pedometer, standard zones, no
 * overlap rule), without saturation at 2^53, which the mixture does not come near. What is beyond
 * that is refused with REF_UNSUPPORTED, never guessed. Hostile blocks are refused with REF_DAMAGED;
 * nothing is read outside of a block.
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
    /* The log holds something that this reference does not fold. */
    REF_UNSUPPORTED = -2,
    /* An event cannot be stored: its kind, version, time or payload is out of range. */
    REF_BAD_EVENT = -3
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
int ref_open(const char *directory, size_t map_bytes, ref_store **store);

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

/* The size of a store that is not open. */
typedef struct ref_usage {
    uint64_t blocks;
    uint64_t block_bytes;
    uint64_t events;
    /* Pages of 4,096 bytes up to the last one in use: the size of the data file. */
    uint64_t pages;
} ref_usage;

/* Measures a store that is not open in this process, of this program or of the Swift package. */
int ref_measure(const char *directory, ref_usage *usage);

/*
 * Compares the log tables of two stores that are not open, keys and blocks, byte for byte.
 *
 * Gives the number of equal blocks before the first difference, and whether there is one.
 */
int ref_compare(const char *left, const char *right, uint64_t *equal_blocks, int *differs);

/* ---- The fold ---------------------------------------------------------------------------------*/

/* Sums over RR intervals in ticks of 1/1024 s. */
typedef struct ref_rr_sums {
    uint64_t count;
    uint64_t sum;
    uint64_t sum_squared;
    uint64_t differences;
    uint64_t sum_squared_differences;
    uint64_t differences_over_50_ms;
} ref_rr_sums;

/* What the readings of a session add up to, copies not counted. */
typedef struct ref_readings {
    uint64_t samples;
    uint64_t sum_bpm;
    uint64_t minimum_bpm;
    uint64_t maximum_bpm;
    uint64_t maximum_position;
    uint64_t supported_bpm;
    uint64_t supported_position;
    uint64_t weighted_sum;
    uint64_t weighted_ms;
    uint64_t zone_ms[4];
    uint64_t excluded_zero;
    uint64_t excluded_no_reading;
    uint64_t excluded_not_credible;
    uint64_t excluded_no_contact;
    uint64_t excluded_paused;
    uint64_t excluded_copies;
    ref_rr_sums raw;
    ref_rr_sums filtered;
    /* Intervals against the clock, from the first notification with intervals of a span on. */
    uint64_t span_ticks;
    uint64_t span_ms;
    /* What the copies would have added to span_ticks. */
    uint64_t copy_ticks;
} ref_readings;

/* A connection to the strap within a session; end as the Swift LinkEnd. */
typedef struct ref_span {
    uint64_t start_ms;
    uint64_t duration_ms;
    uint64_t end;
    uint64_t values;
    uint64_t rr_ticks;
    uint64_t rr_ms;
    uint64_t delivery_factor;
} ref_span;

enum { REF_SPANS = 32, REF_DROPS = 7 };

/* The strap's connection in a session; the spans that ended last, in order. */
typedef struct ref_link {
    uint64_t connects;
    uint64_t connect_times;
    uint64_t first_connect_ms;
    uint64_t connect_ms;
    uint64_t longest_connect_ms;
    uint64_t drops[REF_DROPS];
    uint64_t up_ms;
    uint64_t longest_gap_ms;
    uint64_t delivery_factor;
    uint64_t multiplied_ms;
    uint64_t span_count;
    ref_span spans[REF_SPANS];
} ref_link;

/* The way of a session by its fixes. */
typedef struct ref_route {
    uint64_t fixes;
    uint64_t excluded_fixes;
    uint64_t jumps;
    uint64_t distance_mm;
    uint64_t ascent_mm;
    uint64_t descent_mm;
} ref_route;

/* One session; the fields are those of the Swift Session, under the same rules. */
typedef struct ref_session {
    uint64_t position;
    uint64_t state;
    uint64_t marks;
    uint64_t pauses;
    uint64_t fresh_ms;
    uint64_t held_ms;
    uint64_t silent_ms;
    uint64_t no_contact_ms;
    uint64_t disconnected_ms;
    uint64_t paused_ms;
    ref_readings readings;
    ref_link link;
    uint64_t steps;
    uint64_t stride_steps;
    uint64_t pedometer_mm;
    ref_route route;
    /* What of the route's distance came while the steps could not tell one. */
    uint64_t route_mm;
    uint64_t steps_baseline;
    uint64_t steps_today_at_end;
    /* The first event at which the goal, or half of it, was reached; UINT64_MAX if none. */
    uint64_t goal_reached_position;
    uint64_t turn_around_position;
} ref_session;

/* The steps of one date. */
typedef struct ref_day {
    int64_t date;
    uint64_t baseline;
    uint64_t delta;
    uint64_t pedometer_steps;
    uint64_t reconciliations;
    uint64_t first_position;
    uint64_t last_position;
    uint64_t first_steps_index;
} ref_day;

/* What a log folds to. */
typedef struct ref_totals {
    uint64_t events;
    uint64_t steps_events;
    uint64_t fixes;
    uint64_t findings;
    uint64_t values;
    uint64_t drops;
    uint64_t longest_gap_ms;
    uint64_t pedometer_readings;
    uint64_t pedometer_restarts;
    uint64_t now_ms;
    /* In order; the last session may be open, the last day is the current one. */
    ref_session *sessions;
    size_t session_count;
    ref_day *days;
    size_t day_count;
} ref_totals;

/* Folds the whole log. The caller frees the totals, whatever the result. */
int ref_fold(ref_store *store, ref_totals *totals);

void ref_totals_free(ref_totals *totals);

/* ---- Stores without blocks --------------------------------------------------------------------*/

struct fold;

/* A store that keeps each event by itself; fold takes every event in, in order. */
typedef struct ref_contender {
    const char *name;
    int (*open)(const char *directory, void **store);
    void (*close)(void *store);
    int (*append)(void *store, const ref_event *events, size_t count, const uint8_t *payloads);
    int (*fold)(void *store, struct fold *fold);
    /* Waits until no thread of its own works; NULL if it has none. */
    void (*rest)(void *store);
} ref_contender;

/* SQLite with a row for each event, liblmdb with a record for each, RocksDB with a key for each. */
extern const ref_contender ref_sqlite;
extern const ref_contender ref_records;
extern const ref_contender ref_rocksdb;

/* Folds a contender's store to the same totals; the caller frees them, whatever the result. */
int ref_contender_fold(const ref_contender *contender, void *store, ref_totals *totals);

#endif
