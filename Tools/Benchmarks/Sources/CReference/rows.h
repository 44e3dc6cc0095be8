/* Events as rows: how a program keeps them that has no blocks, and what it folds them by. */

#ifndef PULSELOG_ROWS_H
#define PULSELOG_ROWS_H

#include "CReference.h"
#include "fold.h"

/* Where an event goes through from a row to the fold. */
int rows_fold(
    struct fold *fold, uint64_t position, const ref_event *event, const uint8_t *payload);

#endif
