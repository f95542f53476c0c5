/* Who set this: for one setting the value now, the kernel's own, what the next boot will give, and every file and line
 * that has to do with it, in the order in which they act. Foreign configuration is read as text, below the sysroot and
 * as the user who asks; nothing is edited or executed. What cannot be read or judged is an entry that says so.
 * Immutable once read; any thread. The words are in app/advice/rf-provenance-text. */
#pragma once

#include "rf-tunable.h"

G_BEGIN_DECLS

/** RfSetterKind: by what a value comes, in the order of a start. */
typedef enum {
    RF_SETTER_CMDLINE,   /* the kernel's command line */
    RF_SETTER_SYSCTL,    /* sysctl.d, /etc/sysctl.conf */
    RF_SETTER_UDEV,      /* a rule */
    RF_SETTER_TMPFILES,  /* a w line of tmpfiles.d */
    RF_SETTER_TUNED,     /* the active profile of TuneD */
    RF_SETTER_GENERATOR, /* systemd-zram-generator */
    RF_SETTER_PROGRAM,   /* a service or script: path is what can be looked at, the value is not known */
    RF_SETTER_N_KINDS,
} RfSetterKind;

/**
 * RfSetterFate: what becomes of it at the next boot
 * @RF_FATE_WINS: its value is the one that stays
 * @RF_FATE_LOSES: done, but something later sets it again
 * @RF_FATE_SAME: says what an earlier line says, which keeps its place
 * @RF_FATE_HIDDEN: its file is hidden by another of the same name, @by
 * @RF_FATE_MASKED: the same, and @by is a link to /dev/null or empty
 * @RF_FATE_UNREAD: nothing reads this file at boot
 * @RF_FATE_REFUSED: the kernel does not take the value (quotes, unknown word); what was there before stays
 * @RF_FATE_EXCLUDED: a pattern, for a name that has a line of its own
 * @RF_FATE_EXCLUSION: a line that keeps patterns away from this name and sets nothing
 * @RF_FATE_OTHER_DEVICE: a rule for other devices
 * @RF_FATE_MAYBE: whether it acts cannot be known; @why is the part that cannot be judged, if there is one
 * @RF_FATE_LATE: acts later, or when a device changes, so can overrule everything; its value may not be known
 * @RF_FATE_UNREADABLE: the file (or folder) cannot be read
 * @RF_FATE_DEAD: no kernel since 5.0 looks at it (elevator=), or it is switched off by the command line
 * @RF_FATE_BESIDE: does not set it, but has to do with it (zswap in front of compressed swap)
 * @RF_FATE_GONE: below /run and ours: gone after a restart
 */
typedef enum {
    RF_FATE_WINS,
    RF_FATE_LOSES,
    RF_FATE_SAME,
    RF_FATE_HIDDEN,
    RF_FATE_MASKED,
    RF_FATE_UNREAD,
    RF_FATE_REFUSED,
    RF_FATE_EXCLUDED,
    RF_FATE_EXCLUSION,
    RF_FATE_OTHER_DEVICE,
    RF_FATE_MAYBE,
    RF_FATE_LATE,
    RF_FATE_UNREADABLE,
    RF_FATE_DEAD,
    RF_FATE_BESIDE,
    RF_FATE_GONE,
    RF_FATE_N_FATES,
} RfSetterFate;

/**
 * RfSetter:
 * @path: absolute, "/etc/sysctl.d/10-a.conf"
 * @target: (nullable): where that leads if it is a link
 * @line: 0 if there is none to name
 * @text: (nullable): the line as it stands there, for a person
 * @key: (nullable): the kernel's name that it sets, "vm.dirty_bytes": of a dirty pair the member
 * @raw: (nullable): the value as written
 * @has_value: @value is what the kernel makes of it
 * @ours: written by Ruckelfrei
 * @by: (nullable): HIDDEN, MASKED: the other file
 * @why: (nullable): MAYBE, LATE: ENV{ID_BUS}=="usb"
 */
typedef struct {
    RfSetterKind kind;
    RfSetterFate fate;
    char *path;
    char *target;
    guint line;
    char *text;
    char *key;
    char *raw;
    gboolean has_value;
    RfValue value;
    gboolean ours;
    char *by;
    char *why;
} RfSetter;

/** RfDefaultKind: what is known about the value that the kernel has by itself. */
typedef enum {
    RF_DEFAULT_KNOWN,
    RF_DEFAULT_MEMORY, /* depends on the size of the memory */
    RF_DEFAULT_DEVICE, /* the drive or its driver decides */
    RF_DEFAULT_BUILD,  /* depends on the version or on who built this kernel */
    RF_DEFAULT_NONE,   /* there is none: no compressed swap */
} RfDefaultKind;

/** RfNextBoot: what the next boot will give. */
typedef enum {
    RF_NEXT_VALUE,   /* @next, set by @winner */
    RF_NEXT_DEFAULT, /* nothing sets it: the kernel's own value, @next if @has_next */
    RF_NEXT_UNKNOWN, /* @winner sets it, but to what cannot be read */
} RfNextBoot;

/**
 * RfProvenance:
 * @live_reason: (nullable): untranslated, why there is no @live
 * @certain: nothing that cannot be read or judged may overrule it
 * @winner: (nullable) (transfer none): one of @setters
 * @setters: (element-type RfSetter): in the order in which they act; hidden ones before what hides them
 */
typedef struct {
    const RfTunable *tunable;
    char *instance;
    gboolean has_live;
    RfValue live;
    char *live_reason;
    RfDefaultKind default_kind;
    RfValue default_value;
    RfNextBoot next_boot;
    gboolean has_next;
    RfValue next;
    gboolean certain;
    const RfSetter *winner;
    GPtrArray *setters;
} RfProvenance;

void rf_provenance_free (RfProvenance *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfProvenance, rf_provenance_free)

/** RfProvenanceSources: all files, read once, for any number of questions. */
typedef struct _RfProvenanceSources RfProvenanceSources;

/** rf_provenance_sources_read: keeps references on both; takes some milliseconds */
RfProvenanceSources *rf_provenance_sources_read (RfSysroot *sysroot, RfFacts *facts);
void rf_provenance_sources_free (RfProvenanceSources *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfProvenanceSources, rf_provenance_sources_free)

/**
 * rf_provenance_find:
 * @planned: (nullable): as if Ruckelfrei's own file kept this value: what overrules it then is what will overrule it.
 *   Without effect on swap.zram, which nobody else may own
 *
 * Returns: (transfer full)
 */
RfProvenance *rf_provenance_find (const RfProvenanceSources *self, const RfTunable *tunable, const char *instance,
                                  const RfValue *planned);

/**
 * rf_provenance_overruling:
 *
 * Returns: (transfer container) (element-type RfSetter): what stands against our own value in @self: the winner if it
 * is not ours, and everything that may act after ours and cannot be judged; empty if there is nothing of ours in it
 */
GPtrArray *rf_provenance_overruling (const RfProvenance *self);

const char *rf_setter_kind_nick (RfSetterKind kind);
const char *rf_setter_fate_nick (RfSetterFate fate);
const char *rf_default_kind_nick (RfDefaultKind kind);

G_END_DECLS
