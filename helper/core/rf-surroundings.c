#define G_LOG_DOMAIN "rf-surroundings"
#include "config.h"

#include "rf-surroundings.h"

#include <string.h>

#include "rf-queue.h"
#include "rf-text.h"

#define MAX_CONTROLLERS 64

/* drivers/base/power/sysfs.c, pm_qos_latency_tolerance_us_show() */
RfCounter
rf_surroundings_parse_tolerance (const char *text, gsize length)
{
    if (rf_text_word_is (text, length, "any\n"))
        return RF_COUNTER (RF_SLEEP_UNLIMITED);
    if (rf_text_word_is (text, length, "auto\n"))
        return RF_COUNTER_MISSING (RF_AVAIL_OFF);
    return rf_queue_parse_number (text, length);
}

static void
sleep_free (gpointer data)
{
    RfNvmeSleep *sleep = data;
    g_free (sleep->name);
    g_free (sleep);
}

static GPtrArray *
read_nvme (RfSysroot *sysroot)
{
    GPtrArray *all = g_ptr_array_new_with_free_func (sleep_free);
    g_auto (GStrv) names = rf_sysroot_list (sysroot, "sys/class/nvme");
    for (gsize i = 0; i < MAX_CONTROLLERS && names[i] != NULL; i++) {
        gsize length = 0;
        RfAvail avail;
        g_autofree char *path = g_strdup_printf ("sys/class/nvme/%s/power/pm_qos_latency_tolerance_us", names[i]);
        g_autofree char *text = rf_sysroot_read_avail (sysroot, path, &length, &avail);
        RfNvmeSleep *sleep = g_new0 (RfNvmeSleep, 1);
        sleep->name = g_strdup (names[i]);
        sleep->tolerance_us
            = text != NULL ? rf_surroundings_parse_tolerance (text, length) : RF_COUNTER_MISSING (avail);
        g_ptr_array_add (all, sleep);
    }
    return all;
}

/* one line for a person to read, or none */
static char *
read_words (RfSysroot *sysroot, const char *path)
{
    g_autofree char *line = rf_sysroot_read_line (sysroot, path);
    if (line == NULL || line[0] == '\0' || strlen (line) > 200 || strchr (line, '\n') != NULL
        || !g_utf8_validate (line, -1, NULL))
        return NULL;
    return g_steal_pointer (&line);
}

RfSurroundings *
rf_surroundings_read (RfSysroot *sysroot, const RfFacts *facts)
{
    g_return_val_if_fail (RF_IS_SYSROOT (sysroot) && facts != NULL, NULL);
    RfSurroundings *self = g_new0 (RfSurroundings, 1);
    g_autofree char *pressure = rf_sysroot_read_avail (sysroot, "proc/pressure/memory", NULL, &self->psi);
    g_autofree char *mounts = rf_sysroot_read_avail (sysroot, "proc/self/mountinfo", NULL, &self->mounts_avail);
    self->mounts = rf_mounts_read (sysroot);
    self->fstab = rf_fstab_read (sysroot, &self->fstab_avail);
    self->spaces = rf_spaces_read (sysroot);
    self->nvme = read_nvme (sysroot);
    rf_swaps_read (sysroot, &self->swaps);
    rf_vmm_state_read (sysroot, &self->vmm);
    rf_programs_read (sysroot, &self->programs);
    self->clocksource = read_words (sysroot, "sys/devices/system/clocksource/clocksource0/current_clocksource");
    self->clocksources = read_words (sysroot, "sys/devices/system/clocksource/clocksource0/available_clocksource");
    self->advice = rf_old_advice_read (sysroot, facts, &self->unread);
    return self;
}

void
rf_surroundings_free (RfSurroundings *self)
{
    g_ptr_array_unref (self->mounts);
    g_ptr_array_unref (self->fstab);
    g_ptr_array_unref (self->spaces);
    g_ptr_array_unref (self->nvme);
    rf_swaps_clear (&self->swaps);
    rf_vmm_state_clear (&self->vmm);
    g_free (self->clocksource);
    g_free (self->clocksources);
    g_ptr_array_unref (self->advice);
    g_free (self);
}
