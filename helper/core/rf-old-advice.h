/* Old advice in the files that people edit: lines that no kernel of today understands, or that do harm. Recognised by a
 * closed list of rules, never executed, never changed. rf_old_advice_scan() is pure; all of it is thread-safe. */
#pragma once

#include "rf-facts.h"

G_BEGIN_DECLS

typedef enum {
    RF_OLD_QUOTES,         /* key="value": the quotes go to the kernel, which answers EINVAL */
    RF_OLD_NO_PREFIX,      /* "swappiness = 10" without "vm." */
    RF_OLD_REMOVED_KEY,    /* keys that the kernel no longer has: pdflush, scheduler granularity */
    RF_OLD_TCP_RECYCLE,    /* net.ipv4.tcp_tw_recycle, removed in 4.12 */
    RF_OLD_TCP_BUFFERS,    /* buffers of at most 8 MiB: less than the kernel allows by itself today */
    RF_OLD_TCP_TIMES,      /* tw_reuse, fin_timeout, keepalive: nothing to do with stutter */
    RF_OLD_SWAPPINESS,     /* more than this kernel accepts: 100 before 5.8, 200 since */
    RF_OLD_CACHE_PRESSURE, /* vfs_cache_pressure = 0: the kernel runs out of memory (admin-guide/sysctl/vm.rst) */
    RF_OLD_WRITE_BACK,     /* write-back every few hundredths of a second, or never */
    RF_OLD_MIN_FREE,       /* min_free_kbytes of more than a twentieth of the memory */
    RF_OLD_DROP_CACHES,    /* throws away what the next minutes need */
    RF_OLD_SCHEDULER,      /* noop or cfq: gone since 5.0 */
    RF_OLD_ELEVATOR,       /* elevator= on the command line: without effect since 5.0 */
    RF_OLD_MIN_TTL,        /* lru_gen/min_ttl_ms: ends programs early */
    RF_N_OLD,
} RfOldAdviceId;

typedef enum {
    RF_OLD_FILE_SYSCTL,       /* sysctl.d(5) */
    RF_OLD_FILE_RULES,        /* udev(7), tmpfiles.d(5), cron, rc.local: only words are looked for */
    RF_OLD_FILE_COMMAND_LINE, /* of the kernel, or what the boot loader's settings put on it */
} RfOldAdviceFile;

/**
 * RfOldAdvice:
 * @file: absolute, as a person would open it
 * @line: from 1
 * @text: the line without blanks around it, valid UTF-8, at most 160 bytes
 */
typedef struct {
    RfOldAdviceId id;
    char *file;
    guint line;
    char *text;
} RfOldAdvice;

#define RF_OLD_ADVICE_MAX 100

void rf_old_advice_free (RfOldAdvice *self);

/**
 * rf_old_advice_scan:
 * @kernel: RF_KERNEL (6, 1), 0: unknown
 * @ram_bytes: 0: unknown
 * @found: (element-type RfOldAdvice): what is found is added, up to RF_OLD_ADVICE_MAX in all
 */
void rf_old_advice_scan (RfOldAdviceFile kind, const char *file, const char *text, gsize length, guint kernel,
                         guint64 ram_bytes, GPtrArray *found);

/**
 * rf_old_advice_read:
 * @unread: (out): files that are there but may not be read by this user, or are too large
 *
 * The files below /etc that people edit, and the kernel's command line. What packages bring is not a person's own.
 * Returns: (transfer full) (element-type RfOldAdvice)
 */
GPtrArray *rf_old_advice_read (RfSysroot *sysroot, const RfFacts *facts, guint *unread);

/** rf_old_advice_nick: a stable machine word: "tcp-recycle" */
const char *rf_old_advice_nick (RfOldAdviceId id);

G_END_DECLS
