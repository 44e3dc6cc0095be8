/* A contender: liblmdb with a record for each event, its envelope as it is and its payload. */

#include "core.h"
#include "table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct records {
    struct table table;
    uint64_t next;
};

static int records_open(const char *directory, void **store)
{
    struct records *opened = calloc(1, sizeof *opened);
    if (!opened) return ENOMEM;
    int result = table_open(&opened->table, directory, MDB_NOTLS, "events", MDB_INTEGERKEY);
    *store = opened;
    return result;
}

static void records_close(void *store)
{
    struct records *records = store;
    if (records && records->table.environment) mdb_env_close(records->table.environment);
    free(records);
}

static int records_append(
    void *store, const ref_event *events, size_t count, const uint8_t *payloads)
{
    struct records *records = store;
    MDB_txn *transaction;
    int result = mdb_txn_begin(records->table.environment, NULL, 0, &transaction);
    if (result != 0) return result;
    for (size_t index = 0; result == 0 && index < count; index++) {
        const ref_event *event = &events[index];
        uint64_t position = records->next + index;
        MDB_val key = {.mv_size = sizeof position, .mv_data = &position};
        MDB_val value = {.mv_size = sizeof *event + event->payload_size};
        result = mdb_put(
            transaction, records->table.handle, &key, &value, MDB_RESERVE | MDB_APPEND);
        if (result != 0) break;
        memcpy(value.mv_data, event, sizeof *event);
        memcpy(
            (uint8_t *)value.mv_data + sizeof *event, payloads + event->payload_offset,
            event->payload_size);
    }
    if (result != 0) {
        mdb_txn_abort(transaction);
        return result;
    }
    records->next += count;
    return mdb_txn_commit(transaction);
}

static int records_add_up(void *store, struct core *core)
{
    struct records *records = store;
    struct walk walk;
    MDB_val key, value;
    int result = walk_begin(&walk, &records->table);
    while (result == 0 && (result = walk_next(&walk, &key, &value)) == 0) {
        ref_event event;
        memcpy(&event, value.mv_data, sizeof event);
        core_take(core, &event, (const uint8_t *)value.mv_data + sizeof event);
    }
    walk_end(&walk);
    return result == MDB_NOTFOUND ? 0 : result;
}

const ref_contender ref_records
    = {"records", records_open, records_close, records_append, records_add_up};
