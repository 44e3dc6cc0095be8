#include "core.h"

#include "payload.h"
#include "reader.h"

struct core_stream *core_find_stream(
    struct core *core, uint32_t source, uint64_t device, uint64_t count)
{
    for (uint32_t index = 0; index < core->stream_count; index++) {
        struct core_stream *stream = &core->streams[index];
        if (stream->device != device || stream->source != source) continue;
        core->stream = index;
        return stream;
    }
    if (core->stream_count == CORE_STREAMS) {
        core->is_full = true;
        return NULL;
    }
    core->stream = core->stream_count++;
    core->streams[core->stream] = (struct core_stream){device, count, source};
    return &core->streams[core->stream];
}

/* Payload: device, characteristic, length of the value, the value. */
static void take_notified(struct core *core, struct payload_reader *reader)
{
    payload_device(reader);
    bool is_measurement = payload_byte(reader) == 1;
    uint64_t size = payload_varint(reader);
    if (!is_measurement || reader->is_bad || size > VALUE_BYTES
        || size != (uint64_t)(reader->end - reader->at))
        return;
    unsigned flags = payload_byte(reader);
    size_t bpm_size = 1 + (flags & 1), energy_size = 2 * (flags >> 3 & 1);
    if (reader->is_bad || (size_t)(reader->end - reader->at) < bpm_size + energy_size) return;
    core_take_heart(core, load_le(reader->at, bpm_size));
}

/* Payload: device, form, count, distance if there. */
static void take_pedometer(struct core *core, uint32_t source, struct payload_reader *reader)
{
    uint64_t device = payload_device(reader);
    if (payload_byte(reader) != 0) return; /* the form: a counter */
    uint64_t count = payload_number(reader);
    if (payload_bool(reader)) payload_number(reader);
    if (payload_is_at_end(reader)) core_take_count(core, source, device, count);
}

static void take_payload(
    struct core *core, uint8_t kind, uint16_t version, uint32_t source, const uint8_t *payload,
    size_t size)
{
    struct payload_reader reader = {.at = payload, .end = payload + size};
    if (version != 1) return;
    if (kind == KIND_NOTIFIED) take_notified(core, &reader);
    if (kind == KIND_PEDOMETER_READ) take_pedometer(core, source, &reader);
}

void core_take(struct core *core, const ref_event *event, const uint8_t *payload)
{
    core->totals.events += 1;
    take_payload(
        core, event->kind, event->version, event->source, payload, event->payload_size);
}

int core_take_block(struct core *core, const uint8_t *block, size_t size)
{
    struct block_reader reader;
    if (!reader_begin(&reader, block, size)) return REF_DAMAGED;
    core->totals.events += reader.remaining;
    while (reader.remaining > 0) {
        struct block_event event;
        if (UNLIKELY(!reader_next(&reader, &event))) return REF_DAMAGED;
        switch (event.form) {
        case BODY_HEART: core_take_heart(core, event.bpm); break;
        case BODY_COUNT: core_take_count(core, event.source, event.device, event.count); break;
        case BODY_PAYLOAD:
            take_payload(
                core, event.kind, event.version, event.source, event.payload, event.payload_size);
            break;
        case BODY_OTHER: break;
        }
    }
    return reader_is_at_end(&reader) ? 0 : REF_DAMAGED;
}
