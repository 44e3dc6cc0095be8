/*
 * Builds one block: takes events until they no longer fit, and gives the bytes.
 *
 * A writer never reads its payloads twice and never moves what it wrote, but for putting the
 * sections together at a commit.
 */

#ifndef PULSELOG_WRITER_H
#define PULSELOG_WRITER_H

#include "CReference.h"
#include "format.h"

enum {
    /* Room of a section: a full block, and an event that will turn out not to fit. */
    SECTION_ROOM = 8192,
    /* The most bytes that an event adds to a block beside its payload. */
    ENTRY_BYTES = 96,
    /* Boot, wall, boot number, source, flags and kind of a section's head. */
    BASE_ROOM = 32
};

struct lane_writer {
    struct lane_state state;
    uint64_t devices[LISTED_DEVICES];
    uint64_t count; /* entries in this block */
    uint64_t index; /* of the first of them within the lane */
    size_t base_size;
    size_t size;
    uint8_t base[BASE_ROOM];
    uint8_t bytes[SECTION_ROOM];
};

struct block_writer {
    uint64_t first; /* position of the first event */
    size_t count;
    size_t size; /* of the block as it stands, header and heads included */
    bool has_day_record;
    struct lane_writer lanes[LANES];
    uint8_t order[BLOCK_BYTES];
};

/* Begins a block; the lanes' indices go on from what the writer holds. */
void writer_begin(struct block_writer *writer, uint64_t first);

/* Adds an event; false if it does not fit, with the block as before. */
bool writer_append(struct block_writer *writer, const ref_event *event, const uint8_t *payload);

/* Writes the block's writer->size bytes. The block goes on afterwards. */
void writer_put_together(const struct block_writer *writer, uint8_t *block);

#endif
