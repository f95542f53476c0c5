/* Feeds every file of a corpus folder, and every prefix of the smaller ones, to one fuzz target. */
#include "config.h"

#include "rf-fuzz.h"

#include <stdio.h>
#include <string.h>

#include <glib.h>

#define ALL_PREFIXES_MAX 8192

/* An own allocation of exactly that size, so that a sanitizer sees a read beyond it. */
static void
feed (const char *text, gsize size)
{
    g_autofree uint8_t *copy = g_malloc (MAX (size, 1));
    memcpy (copy, text, size);
    LLVMFuzzerTestOneInput (copy, size);
}

int
main (int argc, char **argv)
{
    g_autoptr (GDir) folder = argc == 2 ? g_dir_open (argv[1], 0, NULL) : NULL;
    guint count = 0;
    if (folder == NULL) {
        fprintf (stderr, "usage: replay-NAME CORPUS-FOLDER\n");
        return 2;
    }
    feed ("", 0);
    for (const char *name; (name = g_dir_read_name (folder)) != NULL;) {
        g_autofree char *path = g_build_filename (argv[1], name, NULL);
        g_autofree char *text = NULL;
        gsize size = 0;
        if (!g_file_get_contents (path, &text, &size, NULL)) {
            printf ("not ok %u - %s\n", ++count, name);
            continue;
        }
        for (gsize length = size > ALL_PREFIXES_MAX ? size : 0; length <= size; length++)
            feed (text, length);
        printf ("ok %u - %s\n", ++count, name);
    }
    printf ("1..%u\n", count);
    return count > 0 ? 0 : 1;
}
