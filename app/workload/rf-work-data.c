#define G_LOG_DOMAIN "rf-work-data"
#include "config.h"

#include "rf-work-data.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rf-work-stop.h"

guint64
rf_work_random (guint64 *state)
{
    guint64 x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * G_GUINT64_CONSTANT (2685821657736338717);
}

void
rf_work_fill (guint64 *state, gpointer buffer, gsize length)
{
    guint64 *word = buffer;
    const gsize half = RF_WORK_PAGE / sizeof *word / 2;
    for (gsize page = 0; page < length / RF_WORK_PAGE; page++) {
        guint64 same = rf_work_random (state);
        for (gsize i = 0; i < half; i++)
            *word++ = rf_work_random (state);
        for (gsize i = 0; i < half; i++)
            *word++ = same;
    }
}

gpointer
rf_work_map (gsize length, gboolean huge)
{
    gpointer memory = mmap (NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        rf_work_fail ("mmap", errno);
        return NULL;
    }
    /* a kernel without huge pages refuses, which is as good */
    (void)madvise (memory, length, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    (void)madvise (memory, length, MADV_DONTDUMP);
    return memory;
}

int
rf_work_memory_file (const char *name)
{
    int fd = memfd_create (name, MFD_CLOEXEC);
    if (fd < 0)
        rf_work_fail ("memfd_create", errno);
    return fd;
}

gboolean
rf_work_write_all (int fd, gconstpointer buffer, gsize length, gint64 offset)
{
    const char *from = buffer;
    while (length > 0) {
        gssize n = pwrite (fd, from, length, offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            if (n == 0)
                errno = ENOSPC;
            return FALSE;
        }
        from += n;
        offset += n;
        length -= (gsize)n;
    }
    return TRUE;
}
