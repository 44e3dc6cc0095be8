/*
 * The core totals of a log, added up by a plain loop: what a fold costs a program that keeps no
 * sessions, no days and no rules. CReference.h says exactly what is added up.
 */

#ifndef PULSELOG_CORE_H
#define PULSELOG_CORE_H

#include "CReference.h"
#include "format.h"

enum { CORE_STREAMS = 1024 };

/* A counter of steps: a source and a device. */
struct core_stream {
    uint64_t device;
    uint64_t count; /* as it was read last */
    uint32_t source;
};

struct core {
    ref_core totals;
    bool is_full; /* there are more streams than have room */
    uint32_t stream_count;
    uint32_t stream; /* of the reading before */
    struct core_stream streams[CORE_STREAMS];
};

FORCE_INLINE void core_take_heart(struct core *core, uint64_t bpm)
{
    ref_core *totals = &core->totals;
    totals->hearts += 1;
    totals->sum_bpm += bpm;
    if (bpm > totals->maximum_bpm) totals->maximum_bpm = bpm;
}

/* Finds the stream of a reading, or begins it there; NULL if there is no room. */
struct core_stream *core_find_stream(
    struct core *core, uint32_t source, uint64_t device, uint64_t count);

FORCE_INLINE void core_take_count(
    struct core *core, uint32_t source, uint64_t device, uint64_t count)
{
    struct core_stream *stream = &core->streams[core->stream];
    if (UNLIKELY(core->stream_count == 0 || stream->device != device || stream->source != source)) {
        stream = core_find_stream(core, source, device, count);
        if (!stream) return;
    }
    core->totals.readings += 1;
    core->totals.steps += count > stream->count ? count - stream->count : 0;
    stream->count = count;
}

/* Takes an event whose payload is at hand. */
void core_take(struct core *core, const ref_event *event, const uint8_t *payload);

/* Takes every event of a block, whose CRC is not looked at. */
int core_take_block(struct core *core, const uint8_t *block, size_t size);

#endif
