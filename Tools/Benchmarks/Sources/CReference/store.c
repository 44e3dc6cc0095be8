/*
 * The reference's store: liblmdb with the flags of the Swift package (defaults plus MDB_NOTLS and
 * MDB_NORDAHEAD), the table "log", big-endian positions as keys.
 */

#include "CReference.h"
#include "fold.h"
#include "reader.h"
#include "writer.h"

#include <errno.h>
#include <lmdb.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_BYTES = 8,
    /* The tables of the Swift package's stores. */
    MAXIMUM_TABLES = 8,
    PAGE_BYTES = 4096
};

struct ref_store {
    MDB_env *environment;
    MDB_dbi log;
    uint64_t next;
    /* Whether this program began the log and so holds its open block. */
    bool is_writer;
    struct block_writer writer;
};

const char *ref_describe(int result)
{
    switch (result) {
    case REF_DAMAGED: return "a block contradicts the record format";
    case REF_UNSUPPORTED: return "the log holds something that the reference does not fold";
    case REF_BAD_EVENT: return "an event cannot be stored";
    default: return mdb_strerror(result);
    }
}

static void store_key(uint8_t key[KEY_BYTES], uint64_t position)
{
    for (int index = 0; index < KEY_BYTES; index++)
        key[index] = (uint8_t)(position >> 8 * (KEY_BYTES - 1 - index));
}

/* Whether the bytes of a block are those that were written. */
static bool is_whole(const uint8_t *block, size_t size)
{
    return size >= HEADER_BYTES && crc32c(block + 4, size - 4) == load_le(block, 4);
}

/* Checks a block whole; gives the number of its events, and its first position. */
static int verify_block(const uint8_t *block, size_t size, uint64_t *first, size_t *count)
{
    struct block_reader reader;
    if (!is_whole(block, size) || !reader_begin(&reader, block, size)) return REF_DAMAGED;
    *first = reader.position;
    *count = reader.remaining;
    while (reader.remaining > 0) {
        struct block_event event;
        if (!reader_next(&reader, &event)) return REF_DAMAGED;
    }
    return reader_is_at_end(&reader) ? 0 : REF_DAMAGED;
}

int ref_check_block(const uint8_t *block, size_t size, size_t *events)
{
    uint64_t first;
    return verify_block(block, size, &first, events);
}

/* ---- Opening ----------------------------------------------------------------------------------*/

static int open_environment(
    const char *directory, size_t map_bytes, unsigned flags, MDB_env **environment)
{
    int result = mdb_env_create(environment);
    if (result != 0) {
        *environment = NULL;
        return result;
    }
    result = mdb_env_set_maxdbs(*environment, MAXIMUM_TABLES);
    if (result == 0 && map_bytes > 0) result = mdb_env_set_mapsize(*environment, map_bytes);
    if (result == 0)
        result = mdb_env_open(*environment, directory, MDB_NOTLS | MDB_NORDAHEAD | flags, 0600);
    if (result != 0) {
        mdb_env_close(*environment);
        *environment = NULL;
    }
    return result;
}

/* Opens the table in a transaction of its own and reads the last block. */
static int open_log(ref_store *store)
{
    MDB_txn *transaction;
    MDB_cursor *cursor;
    MDB_val key, value;
    int result = mdb_txn_begin(store->environment, NULL, 0, &transaction);
    if (result != 0) return result;
    result = mdb_dbi_open(transaction, "log", MDB_CREATE, &store->log);
    if (result == 0) result = mdb_cursor_open(transaction, store->log, &cursor);
    if (result != 0) {
        mdb_txn_abort(transaction);
        return result;
    }
    result = mdb_cursor_get(cursor, &key, &value, MDB_LAST);
    if (result == MDB_NOTFOUND) {
        store->is_writer = true;
        result = 0;
    } else if (result == 0) {
        uint64_t first = 0;
        size_t count = 0;
        result = verify_block(value.mv_data, value.mv_size, &first, &count);
        store->next = first + count;
    }
    mdb_cursor_close(cursor);
    if (result != 0) {
        mdb_txn_abort(transaction);
        return result;
    }
    return mdb_txn_commit(transaction);
}

int ref_open(const char *directory, size_t map_bytes, ref_store **store)
{
    *store = NULL;
    ref_store *opened = calloc(1, sizeof *opened);
    if (!opened) return ENOMEM;
    int result = open_environment(directory, map_bytes, 0, &opened->environment);
    if (result == 0) result = open_log(opened);
    if (result != 0) {
        ref_close(opened);
        return result;
    }
    if (opened->is_writer) writer_begin(&opened->writer, 0);
    *store = opened;
    return 0;
}

void ref_close(ref_store *store)
{
    if (!store) return;
    if (store->environment) mdb_env_close(store->environment);
    free(store);
}

uint64_t ref_next(const ref_store *store)
{
    return store->next;
}

/* ---- Appending --------------------------------------------------------------------------------*/

/* Writes the open block where it belongs, in place of its shorter self if there is one. */
static int put_block(ref_store *store, MDB_txn *transaction, bool is_new)
{
    uint8_t bytes[KEY_BYTES];
    store_key(bytes, store->writer.first);
    MDB_val key = {.mv_size = sizeof bytes, .mv_data = bytes};
    MDB_val value = {.mv_size = store->writer.size};
    unsigned flags = MDB_RESERVE | (is_new ? MDB_APPEND : 0);
    int result = mdb_put(transaction, store->log, &key, &value, flags);
    if (result == 0) writer_put_together(&store->writer, value.mv_data);
    return result;
}

static bool is_storable(const ref_event *event)
{
    return event->kind < 0xE0 && (event->kind & 0x1F) != 0 && event->version > 0
        && event->boot_ms < NUMBER_LIMIT && is_within(event->wall_ms, NUMBER_LIMIT)
        && event->payload_size <= PAYLOAD_BYTES;
}

static int append_all(
    ref_store *store, MDB_txn *transaction, const ref_event *events, size_t count,
    const uint8_t *payloads)
{
    struct block_writer *writer = &store->writer;
    /* Whether the open block is in the table already, from an earlier commit. */
    bool is_new = writer->count == 0;
    for (size_t index = 0; index < count; index++) {
        const ref_event *event = &events[index];
        if (UNLIKELY(!is_storable(event))) return REF_BAD_EVENT;
        const uint8_t *payload = payloads + event->payload_offset;
        if (LIKELY(writer_append(writer, event, payload))) continue;
        int result = put_block(store, transaction, is_new);
        if (result != 0) return result;
        is_new = true;
        writer_begin(writer, writer->first + writer->count);
        /* Every event fits into a block of its own. */
        if (!writer_append(writer, event, payload)) return REF_BAD_EVENT;
    }
    return put_block(store, transaction, is_new);
}

int ref_append(ref_store *store, const ref_event *events, size_t count, const uint8_t *payloads)
{
    if (!store->is_writer) return EROFS;
    if (count == 0) return 0;
    MDB_txn *transaction;
    int result = mdb_txn_begin(store->environment, NULL, 0, &transaction);
    if (result != 0) return result;
    result = append_all(store, transaction, events, count, payloads);
    if (result != 0) {
        mdb_txn_abort(transaction);
        return result;
    }
    result = mdb_txn_commit(transaction);
    if (result == 0) store->next += count;
    return result;
}

/* ---- Reading ----------------------------------------------------------------------------------*/

typedef int block_body(void *context, const uint8_t *block, size_t size);

static int for_each_block(ref_store *store, block_body *body, void *context)
{
    MDB_txn *transaction;
    MDB_cursor *cursor;
    int result = mdb_txn_begin(store->environment, NULL, MDB_RDONLY, &transaction);
    if (result != 0) return result;
    result = mdb_cursor_open(transaction, store->log, &cursor);
    if (result == 0) {
        MDB_val key, value;
        while ((result = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) == 0) {
            result = body(context, value.mv_data, value.mv_size);
            if (result != 0) break;
        }
        if (result == MDB_NOTFOUND) result = 0;
        mdb_cursor_close(cursor);
    }
    mdb_txn_abort(transaction);
    return result;
}

static int verify_body(void *context, const uint8_t *block, size_t size)
{
    uint64_t *events = context;
    uint64_t first;
    size_t count;
    int result = verify_block(block, size, &first, &count);
    if (result == 0) *events += count;
    return result;
}

int ref_verify(ref_store *store, uint64_t *events)
{
    *events = 0;
    return for_each_block(store, verify_body, events);
}

static int fold_body(void *context, const uint8_t *block, size_t size)
{
    return is_whole(block, size) ? fold_block(context, block, size) : REF_DAMAGED;
}

int ref_fold(ref_store *store, ref_totals *totals)
{
    struct fold *fold = malloc(sizeof *fold);
    memset(totals, 0, sizeof *totals);
    if (!fold) return ENOMEM;
    fold_begin(fold, totals);
    int result = for_each_block(store, fold_body, fold);
    if (result == 0) result = fold_end(fold);
    free(fold);
    return result;
}

int ref_contender_fold(const ref_contender *contender, void *store, ref_totals *totals)
{
    struct fold *fold = malloc(sizeof *fold);
    memset(totals, 0, sizeof *totals);
    if (!fold) return ENOMEM;
    fold_begin(fold, totals);
    int result = contender->fold(store, fold);
    if (result == 0) result = fold_end(fold);
    free(fold);
    return result;
}

void ref_totals_free(ref_totals *totals)
{
    free(totals->sessions);
    free(totals->days);
    memset(totals, 0, sizeof *totals);
}

/* ---- Two stores -------------------------------------------------------------------------------*/

/* A store that is looked at while nobody has it open. */
struct inspection {
    MDB_env *environment;
    MDB_txn *transaction;
    MDB_cursor *cursor;
};

static void inspection_end(struct inspection *inspection)
{
    if (inspection->cursor) mdb_cursor_close(inspection->cursor);
    if (inspection->transaction) mdb_txn_abort(inspection->transaction);
    if (inspection->environment) mdb_env_close(inspection->environment);
    memset(inspection, 0, sizeof *inspection);
}

/* Opens a store for reading; on failure nothing is left to end. */
static int inspection_begin(struct inspection *inspection, const char *directory)
{
    MDB_dbi log;
    memset(inspection, 0, sizeof *inspection);
    int result = open_environment(directory, 0, MDB_RDONLY, &inspection->environment);
    if (result == 0)
        result = mdb_txn_begin(
            inspection->environment, NULL, MDB_RDONLY, &inspection->transaction);
    if (result == 0) result = mdb_dbi_open(inspection->transaction, "log", 0, &log);
    if (result == 0) result = mdb_cursor_open(inspection->transaction, log, &inspection->cursor);
    if (result != 0) inspection_end(inspection);
    return result;
}

int ref_measure(const char *directory, ref_usage *usage)
{
    memset(usage, 0, sizeof *usage);
    struct inspection inspection;
    int result = inspection_begin(&inspection, directory);
    if (result != 0) return result;
    MDB_envinfo info;
    result = mdb_env_info(inspection.environment, &info);
    usage->pages = info.me_last_pgno + 1;
    MDB_val key, value;
    while (result == 0
           && (result = mdb_cursor_get(inspection.cursor, &key, &value, MDB_NEXT)) == 0) {
        if (value.mv_size < HEADER_BYTES) result = REF_DAMAGED;
        else usage->events += load_le((const uint8_t *)value.mv_data + 6, 2);
        usage->blocks += 1;
        usage->block_bytes += value.mv_size;
    }
    inspection_end(&inspection);
    return result == MDB_NOTFOUND ? 0 : result;
}

static bool is_equal(const MDB_val *left, const MDB_val *right)
{
    return left->mv_size == right->mv_size
        && memcmp(left->mv_data, right->mv_data, left->mv_size) == 0;
}

static int compare(
    struct inspection *left, struct inspection *right, uint64_t *equal_blocks, int *differs)
{
    for (;;) {
        MDB_val left_key, left_value, right_key, right_value;
        int left_result = mdb_cursor_get(left->cursor, &left_key, &left_value, MDB_NEXT);
        int right_result = mdb_cursor_get(right->cursor, &right_key, &right_value, MDB_NEXT);
        if (left_result != 0 && left_result != MDB_NOTFOUND) return left_result;
        if (right_result != 0 && right_result != MDB_NOTFOUND) return right_result;
        bool is_left_over = left_result == MDB_NOTFOUND;
        bool is_right_over = right_result == MDB_NOTFOUND;
        if (is_left_over || is_right_over) {
            *differs = is_left_over != is_right_over;
            return 0;
        }
        if (!is_equal(&left_key, &right_key) || !is_equal(&left_value, &right_value)) {
            *differs = 1;
            return 0;
        }
        *equal_blocks += 1;
    }
}

int ref_compare(const char *left, const char *right, uint64_t *equal_blocks, int *differs)
{
    struct inspection left_store, right_store;
    *equal_blocks = 0;
    *differs = 0;
    int result = inspection_begin(&left_store, left);
    if (result != 0) return result;
    result = inspection_begin(&right_store, right);
    if (result == 0) result = compare(&left_store, &right_store, equal_blocks, differs);
    inspection_end(&left_store);
    inspection_end(&right_store);
    return result;
}
