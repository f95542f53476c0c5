#define G_LOG_DOMAIN "rf-measure"
#include "config.h"

#include "rf-measure-memory.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Above this the C library would map each block of its own, and unmap it when it is freed: new pages each time. */
#define KEPT_BYTES (8 * 1024 * 1024)

static GMutex mutex;
static guint locks;
static gboolean locked;

void
rf_measure_memory_prepare (void)
{
#ifdef __GLIBC__
    pthread_attr_t attributes;
    pthread_attr_init (&attributes);
    pthread_attr_setstacksize (&attributes, RF_MEASURE_STACK);
    pthread_setattr_default_np (&attributes);
    pthread_attr_destroy (&attributes);
#endif
}

gboolean
rf_measure_memory_lock (void)
{
    g_mutex_lock (&mutex);
    if (locks++ == 0) {
#ifdef __GLIBC__
        /* only here, under the mutex; NOLINTNEXTLINE(concurrency-mt-unsafe) */
        mallopt (M_MMAP_THRESHOLD, KEPT_BYTES);
        /* likewise; NOLINTNEXTLINE(concurrency-mt-unsafe) */
        mallopt (M_TRIM_THRESHOLD, KEPT_BYTES);
#endif
        locked = mlockall (MCL_CURRENT | MCL_FUTURE) == 0;
        if (!locked)
            g_info ("the memory cannot be locked: %s", g_strerror (errno));
    }
    gboolean result = locked;
    g_mutex_unlock (&mutex);
    return result;
}

void
rf_measure_memory_unlock (void)
{
    g_mutex_lock (&mutex);
    if (--locks == 0 && locked) {
        munlockall ();
        locked = FALSE;
    }
    g_mutex_unlock (&mutex);
}
