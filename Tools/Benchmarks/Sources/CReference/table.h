/* A table of an LMDB environment of its own, and a walk over its entries in order. */

#ifndef PULSELOG_TABLE_H
#define PULSELOG_TABLE_H

#include <lmdb.h>
#include <stddef.h>

struct table {
    MDB_env *environment;
    MDB_dbi handle;
};

/* Opens a table, and makes it if it is not there; after a failure there is nothing to close. */
int table_open(
    struct table *table, const char *directory, unsigned flags, const char *name,
    unsigned table_flags);

struct walk {
    MDB_txn *transaction;
    MDB_cursor *cursor;
};

/* Begins before the first entry; after a failure there is nothing to end. */
int walk_begin(struct walk *walk, const struct table *table);

/* Goes to the first or the next entry; MDB_NOTFOUND if there is none. */
static inline int walk_next(struct walk *walk, MDB_val *key, MDB_val *value)
{
    return mdb_cursor_get(walk->cursor, key, value, MDB_NEXT);
}

/* Ends a walk, or one that is all zero. */
void walk_end(struct walk *walk);

#endif
