/*
 * A contender: RocksDB with a key for each event, its envelope as it is and its payload.
 *
 * Each transaction is one batch, whose write-ahead log is synced before the call returns. Nothing
 * is compressed and tables are read through a map, so that nobody can say that it was slowed down.
 */

#include "rows.h"

#include <errno.h>
#include <rocksdb/c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

struct tree {
    rocksdb_t *handle;
    rocksdb_options_t *options;
    rocksdb_writeoptions_t *durable;
    rocksdb_readoptions_t *reading;
    rocksdb_writebatch_t *batch;
    uint64_t next;
};

static int result_of(char *error)
{
    free(error);
    return error ? EIO : 0;
}

/* Keys in the order of their bytes. */
static uint64_t key_of(uint64_t position)
{
    return __builtin_bswap64(position);
}

static int rocksdb_open_store(const char *directory, void **store)
{
    struct tree *tree = calloc(1, sizeof *tree);
    char path[4096];
    if (!tree) return ENOMEM;
    *store = tree;
    snprintf(path, sizeof path, "%s/events.rocksdb", directory);
    tree->options = rocksdb_options_create();
    rocksdb_options_set_create_if_missing(tree->options, 1);
    rocksdb_options_set_compression(tree->options, rocksdb_no_compression);
    rocksdb_options_set_allow_mmap_reads(tree->options, 1);
    tree->durable = rocksdb_writeoptions_create();
    rocksdb_writeoptions_set_sync(tree->durable, 1);
    tree->reading = rocksdb_readoptions_create();
    tree->batch = rocksdb_writebatch_create();
    char *error = NULL;
    tree->handle = rocksdb_open(tree->options, path, &error);
    return result_of(error);
}

static void rocksdb_close_store(void *store)
{
    struct tree *tree = store;
    if (!tree) return;
    if (tree->handle) rocksdb_close(tree->handle);
    rocksdb_writebatch_destroy(tree->batch);
    rocksdb_readoptions_destroy(tree->reading);
    rocksdb_writeoptions_destroy(tree->durable);
    rocksdb_options_destroy(tree->options);
    free(tree);
}

static int rocksdb_append(
    void *store, const ref_event *events, size_t count, const uint8_t *payloads)
{
    struct tree *tree = store;
    char value[sizeof(ref_event) + UINT16_MAX];
    rocksdb_writebatch_clear(tree->batch);
    for (size_t index = 0; index < count; index++) {
        const ref_event *event = &events[index];
        uint64_t key = key_of(tree->next + index);
        memcpy(value, event, sizeof *event);
        memcpy(value + sizeof *event, payloads + event->payload_offset, event->payload_size);
        rocksdb_writebatch_put(
            tree->batch, (const char *)&key, sizeof key, value,
            sizeof *event + event->payload_size);
    }
    char *error = NULL;
    rocksdb_write(tree->handle, tree->durable, tree->batch, &error);
    if (!error) tree->next += count;
    return result_of(error);
}

/* Waits for its own threads, which write tables after the call has returned. */
static void rocksdb_rest(void *store)
{
    static const char *const work[] = {
        "rocksdb.mem-table-flush-pending", "rocksdb.num-running-flushes",
        "rocksdb.compaction-pending", "rocksdb.num-running-compactions"};
    struct tree *tree = store;
    const struct timespec moment = {.tv_nsec = 1000000};
    for (size_t index = 0; index < sizeof work / sizeof *work; index++) {
        uint64_t left = 0;
        if (rocksdb_property_int(tree->handle, work[index], &left) != 0 || left == 0) continue;
        thrd_sleep(&moment, NULL);
        index = (size_t)-1; /* from the first again */
    }
}

static int rocksdb_fold(void *store, struct fold *fold)
{
    struct tree *tree = store;
    rocksdb_iterator_t *iterator = rocksdb_create_iterator(tree->handle, tree->reading);
    int result = 0;
    rocksdb_iter_seek_to_first(iterator);
    for (; result == 0 && rocksdb_iter_valid(iterator); rocksdb_iter_next(iterator)) {
        size_t key_size, size;
        uint64_t position;
        ref_event event;
        const char *key = rocksdb_iter_key(iterator, &key_size);
        const char *value = rocksdb_iter_value(iterator, &size);
        memcpy(&position, key, sizeof position);
        memcpy(&event, value, sizeof event);
        result = rows_fold(
            fold, key_of(position), &event, (const uint8_t *)value + sizeof event);
    }
    if (result == 0) {
        char *error = NULL;
        rocksdb_iter_get_error(iterator, &error);
        result = result_of(error);
    }
    rocksdb_iter_destroy(iterator);
    return result;
}

const ref_contender ref_rocksdb = {
    "RocksDB", rocksdb_open_store, rocksdb_close_store, rocksdb_append, rocksdb_fold,
    rocksdb_rest};
