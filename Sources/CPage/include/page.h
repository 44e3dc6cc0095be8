/*
 * The files of the web page, as they are in the folder `site`.
 */

#ifndef PULSELOG_PAGE_H
#define PULSELOG_PAGE_H

#include <stddef.h>

/* A file of the page. */
struct page_file {
    /* Where it is in the folder, such as "/app.js". */
    const char *path;
    const char *text;
};

/* The file of an index, from 0; without a path after the last. */
struct page_file page_file_at(size_t index);

#endif
