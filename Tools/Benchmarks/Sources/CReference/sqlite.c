/* A contender: SQLite with a row for each event, in write-ahead mode, each transaction durable. */

#include "core.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

struct database {
    sqlite3 *handle;
    sqlite3_stmt *insert;
    sqlite3_stmt *select;
    uint64_t next;
};

static int result_of(int code)
{
    return code == SQLITE_OK || code == SQLITE_DONE ? 0 : code == SQLITE_NOMEM ? ENOMEM : EIO;
}

static int execute(struct database *database, const char *text)
{
    return result_of(sqlite3_exec(database->handle, text, NULL, NULL, NULL));
}

static int prepare(struct database *database, const char *text, sqlite3_stmt **statement)
{
    return result_of(sqlite3_prepare_v2(database->handle, text, -1, statement, NULL));
}

static int sqlite_open(const char *directory, void **store)
{
    struct database *database = calloc(1, sizeof *database);
    char path[4096];
    if (!database) return ENOMEM;
    *store = database;
    snprintf(path, sizeof path, "%s/events.sqlite", directory);
    int result = result_of(sqlite3_open(path, &database->handle));
    if (result == 0)
        result = execute(
            database,
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA mmap_size = 4294967296;"
            "CREATE TABLE events (position INTEGER PRIMARY KEY, boot_ms INTEGER, wall_ms INTEGER,"
            " boot_number INTEGER, source INTEGER, version INTEGER, flags INTEGER, kind INTEGER,"
            " payload BLOB)");
    if (result == 0)
        result = prepare(
            database, "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", &database->insert);
    if (result == 0)
        result = prepare(database, "SELECT * FROM events ORDER BY position", &database->select);
    return result;
}

static void sqlite_close(void *store)
{
    struct database *database = store;
    if (!database) return;
    sqlite3_finalize(database->insert);
    sqlite3_finalize(database->select);
    sqlite3_close(database->handle);
    free(database);
}

static int sqlite_append(
    void *store, const ref_event *events, size_t count, const uint8_t *payloads)
{
    struct database *database = store;
    sqlite3_stmt *insert = database->insert;
    int result = execute(database, "BEGIN");
    for (size_t index = 0; result == 0 && index < count; index++) {
        const ref_event *event = &events[index];
        sqlite3_bind_int64(insert, 1, (int64_t)(database->next + index));
        sqlite3_bind_int64(insert, 2, (int64_t)event->boot_ms);
        sqlite3_bind_int64(insert, 3, event->wall_ms);
        sqlite3_bind_int64(insert, 4, event->boot_number);
        sqlite3_bind_int64(insert, 5, event->source);
        sqlite3_bind_int(insert, 6, event->version);
        sqlite3_bind_int(insert, 7, event->flags);
        sqlite3_bind_int(insert, 8, event->kind);
        sqlite3_bind_blob(
            insert, 9, payloads + event->payload_offset, event->payload_size, SQLITE_STATIC);
        result = result_of(sqlite3_step(insert));
        sqlite3_reset(insert);
    }
    if (result != 0) {
        execute(database, "ROLLBACK");
        return result;
    }
    database->next += count;
    return execute(database, "COMMIT");
}

static int sqlite_add_up(void *store, struct core *core)
{
    struct database *database = store;
    sqlite3_stmt *select = database->select;
    int code;
    while ((code = sqlite3_step(select)) == SQLITE_ROW) {
        ref_event event = {
            .boot_ms = (uint64_t)sqlite3_column_int64(select, 1),
            .wall_ms = sqlite3_column_int64(select, 2),
            .boot_number = (uint32_t)sqlite3_column_int64(select, 3),
            .source = (uint32_t)sqlite3_column_int64(select, 4),
            .version = (uint16_t)sqlite3_column_int(select, 5),
            .flags = (uint8_t)sqlite3_column_int(select, 6),
            .kind = (uint8_t)sqlite3_column_int(select, 7),
            .payload_size = (uint16_t)sqlite3_column_bytes(select, 8)};
        core_take(core, &event, sqlite3_column_blob(select, 8));
    }
    sqlite3_reset(select);
    return result_of(code);
}

const ref_contender ref_sqlite
    = {"SQLite", sqlite_open, sqlite_close, sqlite_append, sqlite_add_up};
