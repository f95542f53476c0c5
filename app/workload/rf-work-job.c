#define G_LOG_DOMAIN "rf-work-job"
#include "config.h"

#include "rf-work-job.h"

static gint64 prepare_until;

static void
check_time (void)
{
    if (rf_work_now () > prepare_until)
        rf_work_stop (RF_WORK_END_SLOW);
}

/* writing the files takes most of the time on most drives */
static void
files_progress (double share)
{
    check_time ();
    rf_work_say_progress ("prepare", share * 0.6);
}

static void
idle_progress (double share)
{
    check_time ();
    rf_work_say_progress ("prepare", 0.6 + share * 0.3);
}

gboolean
rf_work_job_prepare (RfWorkJob *self)
{
    g_autoptr (GError) error = NULL;
    prepare_until = rf_work_now () + RF_WORK_PREPARE_S * RF_WORK_S;
    self->files = rf_work_files_new (self->folder, &self->plan, &error);
    if (self->files == NULL) {
        g_printerr ("%s\n", error->message);
        rf_work_stop (RF_WORK_END_FAILED);
        return FALSE;
    }
    if (!rf_work_files_fill (self->files, &self->plan, files_progress))
        return FALSE;
    self->idle = rf_work_idle_new (&self->plan, idle_progress);
    return self->idle != NULL;
}

void
rf_work_job_fill_cache (RfWorkJob *self)
{
    const guint memory = rf_work_plan_memory (&self->plan);
    /* a plan without ballast wants no full memory */
    const guint64 rest = self->plan.ballast > 0 && self->plan.base > memory ? self->plan.base - memory : 0;
    rf_work_files_fill_cache (self->files, self->sysroot, rest + rest / 8, &self->cache_cursor);
    rf_work_say_progress ("prepare", 1);
}

void
rf_work_job_clear (RfWorkJob *self)
{
    g_clear_pointer (&self->idle, rf_work_idle_free);
    g_clear_pointer (&self->files, rf_work_files_free);
}

void
rf_work_join (GPtrArray *threads)
{
    for (guint i = 0; i < threads->len; i++)
        g_thread_join (threads->pdata[i]);
    g_ptr_array_set_size (threads, 0);
}
