/*
 * The reference's store: liblmdb with the flags of the Swift package (defaults plus MDB_NOTLS and
 * MDB_NORDAHEAD), the table "log", big-endian positions as keys.
 */

#include "CReference.h"
#include "core.h"
#include "reader.h"
#include "table.h"
#include "writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_BYTES = 8 };

struct ref_store {
    struct table log;
    uint64_t next;
    /* Whether this program began the log and so holds its open block. */
    bool is_writer;
    struct block_writer writer;
};

const char *ref_describe(int result)
{
    switch (result) {
    case REF_DAMAGED: return "a block contradicts the record format";
    case REF_UNSUPPORTED: return "the log has more counters of steps than the reference adds up";
    case REF_BAD_EVENT: return "an event cannot be stored";
    case REF_DIFFERENT: return "two logs are not equal";
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

/* Reads the last block, if there is one; a log that is empty has its writer here. */
static int read_end(ref_store *store)
{
    struct walk walk;
    MDB_val key, block;
    int result = walk_begin(&walk, &store->log);
    if (result != 0) return result;
    result = mdb_cursor_get(walk.cursor, &key, &block, MDB_LAST);
    if (result == MDB_NOTFOUND) {
        store->is_writer = true;
        writer_begin(&store->writer, 0);
        result = 0;
    } else if (result == 0) {
        uint64_t first = 0;
        size_t count = 0;
        result = verify_block(block.mv_data, block.mv_size, &first, &count);
        store->next = first + count;
    }
    walk_end(&walk);
    return result;
}

int ref_open(const char *directory, ref_store **store)
{
    *store = NULL;
    ref_store *opened = calloc(1, sizeof *opened);
    if (!opened) return ENOMEM;
    int result = table_open(&opened->log, directory, MDB_NOTLS | MDB_NORDAHEAD, "log", 0);
    if (result == 0) result = read_end(opened);
    if (result == 0)
        *store = opened;
    else
        ref_close(opened);
    return result;
}

void ref_close(ref_store *store)
{
    if (!store) return;
    if (store->log.environment) mdb_env_close(store->log.environment);
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
    int result = mdb_put(transaction, store->log.handle, &key, &value, flags);
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
    int result = mdb_txn_begin(store->log.environment, NULL, 0, &transaction);
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
    struct walk walk;
    MDB_val key, block;
    int result = walk_begin(&walk, &store->log);
    while (result == 0 && (result = walk_next(&walk, &key, &block)) == 0)
        result = body(context, block.mv_data, block.mv_size);
    walk_end(&walk);
    return result == MDB_NOTFOUND ? 0 : result;
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

static int core_body(void *context, const uint8_t *block, size_t size)
{
    return is_whole(block, size) ? core_take_block(context, block, size) : REF_DAMAGED;
}

static int add_up_blocks(void *store, struct core *core)
{
    return for_each_block(store, core_body, core);
}

static int add_up(int (*take_all)(void *, struct core *), void *store, ref_core *totals)
{
    struct core *core = calloc(1, sizeof *core);
    if (!core) return ENOMEM;
    int result = take_all(store, core);
    if (result == 0 && core->is_full) result = REF_UNSUPPORTED;
    *totals = core->totals;
    free(core);
    return result;
}

int ref_add_up(ref_store *store, ref_core *totals)
{
    return add_up(add_up_blocks, store, totals);
}

int ref_contender_add_up(const ref_contender *contender, void *store, ref_core *totals)
{
    return add_up(contender->add_up, store, totals);
}

/* ---- Two stores -------------------------------------------------------------------------------*/

static bool is_equal(const MDB_val *left, const MDB_val *right)
{
    return left->mv_size == right->mv_size
        && memcmp(left->mv_data, right->mv_data, left->mv_size) == 0;
}

/* Goes on in both logs; MDB_NOTFOUND at their common end. */
static int compare_next(struct walk walks[2])
{
    MDB_val keys[2], blocks[2];
    int results[2];
    for (int side = 0; side < 2; side++) {
        results[side] = walk_next(&walks[side], &keys[side], &blocks[side]);
        if (results[side] != 0 && results[side] != MDB_NOTFOUND) return results[side];
    }
    if (results[0] != results[1]) return REF_DIFFERENT;
    if (results[0] != 0) return MDB_NOTFOUND;
    return is_equal(&keys[0], &keys[1]) && is_equal(&blocks[0], &blocks[1]) ? 0 : REF_DIFFERENT;
}

int ref_compare(const char *left, const char *right, uint64_t *equal_blocks)
{
    const char *directories[2] = {left, right};
    ref_store *stores[2] = {NULL, NULL};
    struct walk walks[2] = {0};
    int result = 0;
    for (int side = 0; result == 0 && side < 2; side++) {
        result = ref_open(directories[side], &stores[side]);
        if (result == 0) result = walk_begin(&walks[side], &stores[side]->log);
    }
    *equal_blocks = 0;
    while (result == 0 && (result = compare_next(walks)) == 0) *equal_blocks += 1;
    for (int side = 0; side < 2; side++) {
        walk_end(&walks[side]);
        ref_close(stores[side]);
    }
    return result == MDB_NOTFOUND ? 0 : result;
}
