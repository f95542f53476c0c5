#define G_LOG_DOMAIN "rf-check-system"
#include "config.h"

#include "rf-check-private.h"

#include <string.h>

#include <glib/gi18n.h>

#include "rf-text.h"

/* what programs turn that may cross what Ruckelfrei sets; whole sentences, because they stand alone */
static const struct {
    RfProgramId id;
    const char *text;
} tuners[] = {
    {RF_PROGRAM_TUNED,
     N_ ("TuneD sets memory settings when it starts, and brings its own old values back when it stops.")},
    {RF_PROGRAM_TLP,
     N_ ("TLP sets times of write-back, and schedulers if it is told to, whenever mains power comes or goes.")},
    {RF_PROGRAM_CACHYOS,
     N_ ("CachyOS sets memory settings at each start, and the swappiness again when a zram appears.")},
    {RF_PROGRAM_POP, N_ ("Pop!_OS sets memory settings at each start, and again when it sets up its zram.")},
    {RF_PROGRAM_SYSTEM76,
     N_ ("The services of system76 change how the processor and the priorities of programs are managed.")},
    {RF_PROGRAM_GAMEMODE,
     N_ ("GameMode changes settings of the processor while a game runs. Compare measurements only with it on "
         "in both, or off in both.")},
};

void
rf_check_programs (const RfCheckInput *in, RfCheckResult *out)
{
    const RfPrograms *programs = &in->around->programs;
    char *active = NULL, *idle = NULL;
    for (gsize i = 0; i < G_N_ELEMENTS (tuners); i++) {
        RfProgramState state = programs->state[tuners[i].id];
        if (state >= RF_PROGRAM_ENABLED) {
            rf_check_add_line (&active, g_strdup (_ (tuners[i].text)));
            rf_check_add_line (&out->detail, g_strdup (rf_program_evidence (tuners[i].id)));
        } else if (state == RF_PROGRAM_INSTALLED) {
            rf_check_add_line (
                &idle, g_strdup_printf (_ ("%s is installed, but does nothing now."), rf_program_name (tuners[i].id)));
        }
    }
    if (active != NULL) {
        rf_check_say_look (
            out, _ ("Another program tunes as well"), g_steal_pointer (&active),
            _ ("Let one of them set a setting, not two. If another program has overwritten what you kept, "
               "the changes say so."));
        out->page = "changes";
    } else if (!programs->known) {
        rf_check_say_unknown (out, g_strdup (_ ("Which services run cannot be seen without systemd.")));
    } else {
        rf_check_say_fine (out,
                           idle != NULL ? g_steal_pointer (&idle) : g_strdup (_ ("None of the known ones is active.")));
    }
    g_free (idle);
}

void
rf_check_killers (const RfCheckInput *in, RfCheckResult *out)
{
    static const RfProgramId ids[] = {RF_PROGRAM_OOMD, RF_PROGRAM_EARLYOOM, RF_PROGRAM_NOHANG};
    const RfPrograms *programs = &in->around->programs;
    if (!rf_check_knows_swaps (in)) {
        rf_check_say_unknown (out, g_strdup (_ ("Whether there is a zram cannot be read.")));
        return;
    }
    if (!rf_check_has_zram (in)) {
        rf_check_say_fine (out, g_strdup (_ ("There is no zram whose filling could be mistaken for lack of memory.")));
        return;
    }
    for (gsize i = 0; i < G_N_ELEMENTS (ids); i++) {
        const char *unit = rf_program_evidence (ids[i]);
        if (programs->state[ids[i]] < RF_PROGRAM_ENABLED)
            continue;
        rf_check_say_look (
            out, _ ("A memory watchdog looks at the zram"),
            g_strdup_printf (_ ("%s ends programs when the swap fills up. A zram is full long before memory "
                                "is, so programs may be ended too early."),
                             rf_program_name (ids[i])),
            _ ("If programs vanish, its journal says so. A larger zram or a higher limit helps."));
        out->command = g_strdup_printf ("journalctl -b -u %s", unit);
        out->detail = g_strdup (unit);
        return;
    }
    if (!programs->known)
        rf_check_say_unknown (out, g_strdup (_ ("Which services run cannot be seen without systemd.")));
    else
        rf_check_say_fine (out, g_strdup (_ ("There is a zram, and no memory watchdog is active.")));
}

void
rf_check_clock (const RfCheckInput *in, RfCheckResult *out)
{
    static const char *const slow[] = {"hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit", NULL};
    const char *clock = in->around->clocksource;
    if (clock == NULL) {
        rf_check_say_unknown (out, g_strdup (_ ("Which clock the kernel uses cannot be read.")));
    } else if (g_strv_contains (slow, clock)) {
        rf_check_say_look (
            out, _ ("The clock is slow to read"),
            g_strdup_printf (_ ("The kernel reads the time from “%s” and not from the processor (“tsc”). "
                                "Games and audio programs ask for the time thousands of times a second, "
                                "and each time takes much longer."),
                             clock),
            _ ("The log of the kernel says why it does not trust the faster clock; often a newer firmware "
               "helps."));
        out->command = g_strdup ("sudo dmesg | grep -i -e tsc -e clocksource");
        out->detail
            = in->around->clocksources != NULL ? g_strdup_printf ("clocksource: %s", in->around->clocksources) : NULL;
    } else {
        rf_check_say_fine (out, g_strdup_printf (_ ("The kernel reads the time from “%s”, which is fast."), clock));
    }
}

void
rf_check_container (const RfCheckInput *in, RfCheckResult *out)
{
    const RfFacts *facts = in->facts;
    if (facts->container != NULL) {
        g_autofree char *valid = rf_text_printable (facts->container);
        rf_check_say_look (
            out, _ ("This is a container"),
            g_strdup_printf (_ ("Programs run in a container here (%s). Settings of the kernel belong to the "
                                "host and cannot be changed from within."),
                             valid),
            _ ("Use Ruckelfrei on the host."));
    } else if (facts->sysctl_read_only) {
        rf_check_say_look (out, _ ("Settings of the kernel are read-only"),
                           g_strdup (_ ("/proc/sys is mounted read-only, so nothing can be changed.")),
                           _ ("Find out what has locked it, and use Ruckelfrei outside."));
    } else if (in->around->mounts_avail != RF_AVAIL_OK) {
        rf_check_say_unknown (out,
                              g_strdup (_ ("What is mounted cannot be read, so neither can be whether settings of the "
                                           "kernel are open to changes.")));
    } else if (facts->virtualisation != NULL) {
        g_autofree char *valid = rf_text_printable (facts->virtualisation);
        rf_check_say_fine (
            out, g_strdup_printf (_ ("No container. It is a virtual machine (%s), so its host may cause stutter "
                                     "that nothing here can cure."),
                                  valid));
    } else {
        rf_check_say_fine (out, g_strdup (_ ("Neither a container nor a virtual machine.")));
    }
}
