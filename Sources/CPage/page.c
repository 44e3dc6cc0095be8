/*
 * The files of the web page, embedded (C23, 6.10.4).
 *
 * A file that `site.h` does not name is not in the program; a test compares the table with the
 * folder.
 */

#include "page.h"

#include <string.h>

/* The package's C is older than `#embed`, which this compiler knows all the same. */
#pragma clang diagnostic ignored "-Wc23-extensions"

#define QUOTED(words) #words

/* What is in the files, a zero after each: they are text, in which there is none. */
#define PAGE_FILE(path) QUOTED(site/path) suffix(, 0,) if_empty(0,)
static const unsigned char contents[] = {
#include "site.h"
};
#undef PAGE_FILE

/* Their paths: nothing is taken of each file, and its path stands in for nothing. */
#define PAGE_FILE(path) QUOTED(site/path) limit(0) if_empty(QUOTED(/path),)
static const char *const paths[] = {
#include "site.h"
};
#undef PAGE_FILE

struct page_file page_file_at(size_t index)
{
    struct page_file file = { NULL, (const char *)contents };
    if (index >= sizeof paths / sizeof paths[0]) return file;
    for (size_t at = 0; at < index; at += 1) file.text += strlen(file.text) + 1;
    file.path = paths[index];
    return file;
}
