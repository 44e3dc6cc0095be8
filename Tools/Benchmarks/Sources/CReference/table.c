#include "table.h"

#include <string.h>

enum {
    /* The tables of the Swift package's stores. */
    MAXIMUM_TABLES = 8
};

static const size_t MAP_BYTES = (size_t)16 << 30;

static int open_handle(struct table *table, const char *name, unsigned flags)
{
    MDB_txn *transaction;
    int result = mdb_txn_begin(table->environment, NULL, 0, &transaction);
    if (result != 0) return result;
    result = mdb_dbi_open(transaction, name, MDB_CREATE | flags, &table->handle);
    if (result == 0) return mdb_txn_commit(transaction);
    mdb_txn_abort(transaction);
    return result;
}

int table_open(
    struct table *table, const char *directory, unsigned flags, const char *name,
    unsigned table_flags)
{
    MDB_env *environment;
    int result = mdb_env_create(&environment);
    if (result != 0) return result;
    table->environment = environment;
    result = mdb_env_set_maxdbs(environment, MAXIMUM_TABLES);
    if (result == 0) result = mdb_env_set_mapsize(environment, MAP_BYTES);
    if (result == 0) result = mdb_env_open(environment, directory, flags, 0600);
    if (result == 0) result = open_handle(table, name, table_flags);
    if (result == 0) return 0;
    mdb_env_close(environment);
    table->environment = NULL;
    return result;
}

int walk_begin(struct walk *walk, const struct table *table)
{
    memset(walk, 0, sizeof *walk);
    int result = mdb_txn_begin(table->environment, NULL, MDB_RDONLY, &walk->transaction);
    if (result == 0) result = mdb_cursor_open(walk->transaction, table->handle, &walk->cursor);
    if (result != 0) walk_end(walk);
    return result;
}

void walk_end(struct walk *walk)
{
    if (walk->cursor) mdb_cursor_close(walk->cursor);
    if (walk->transaction) mdb_txn_abort(walk->transaction);
    memset(walk, 0, sizeof *walk);
}
