/* A contender: liblmdb with a record for each event, its envelope as it is and its payload. */

#include "rows.h"

#include <errno.h>
#include <lmdb.h>
#include <stdlib.h>
#include <string.h>

struct records {
    MDB_env *environment;
    MDB_dbi table;
    uint64_t next;
};

static int records_open(const char *directory, void **store)
{
    struct records *opened = calloc(1, sizeof *opened);
    if (!opened) return ENOMEM;
    MDB_txn *transaction;
    int result = mdb_env_create(&opened->environment);
    if (result == 0) result = mdb_env_set_mapsize(opened->environment, (size_t)16 << 30);
    if (result == 0) result = mdb_env_set_maxdbs(opened->environment, 1);
    if (result == 0) result = mdb_env_open(opened->environment, directory, MDB_NOTLS, 0600);
    if (result == 0) result = mdb_txn_begin(opened->environment, NULL, 0, &transaction);
    if (result == 0) {
        result = mdb_dbi_open(
            transaction, "events", MDB_CREATE | MDB_INTEGERKEY, &opened->table);
        if (result == 0)
            result = mdb_txn_commit(transaction);
        else
            mdb_txn_abort(transaction);
    }
    *store = opened;
    return result;
}

static void records_close(void *store)
{
    struct records *records = store;
    if (records) mdb_env_close(records->environment);
    free(records);
}

static int records_append(
    void *store, const ref_event *events, size_t count, const uint8_t *payloads)
{
    struct records *records = store;
    MDB_txn *transaction;
    int result = mdb_txn_begin(records->environment, NULL, 0, &transaction);
    if (result != 0) return result;
    for (size_t index = 0; result == 0 && index < count; index++) {
        const ref_event *event = &events[index];
        uint64_t position = records->next + index;
        MDB_val key = {.mv_size = sizeof position, .mv_data = &position};
        MDB_val value = {.mv_size = sizeof *event + event->payload_size};
        result = mdb_put(
            transaction, records->table, &key, &value, MDB_RESERVE | MDB_APPEND);
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

static int records_fold(void *store, struct fold *fold)
{
    struct records *records = store;
    MDB_txn *transaction;
    MDB_cursor *cursor;
    int result = mdb_txn_begin(records->environment, NULL, MDB_RDONLY, &transaction);
    if (result != 0) return result;
    result = mdb_cursor_open(transaction, records->table, &cursor);
    if (result == 0) {
        MDB_val key, value;
        while ((result = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) == 0) {
            uint64_t position;
            ref_event event;
            memcpy(&position, key.mv_data, sizeof position);
            memcpy(&event, value.mv_data, sizeof event);
            result = rows_fold(
                fold, position, &event, (const uint8_t *)value.mv_data + sizeof event);
            if (result != 0) break;
        }
        if (result == MDB_NOTFOUND) result = 0;
        mdb_cursor_close(cursor);
    }
    mdb_txn_abort(transaction);
    return result;
}

const ref_contender ref_records
    = {"records", records_open, records_close, records_append, records_fold, NULL};
