/* The parts of rf-provenance, a file for each kind of source. Not for anybody else. */
#pragma once

#include "rf-conf-files.h"
#include "rf-provenance.h"
#include "rf-sysctl-files.h"

G_BEGIN_DECLS

/* before all is settled, WINS means "acts"; the last one that does keeps it */
#define RF_FATE_ACTS RF_FATE_WINS

#define RF_OWN_SYSCTL "99-zz-ruckelfrei.conf"
#define RF_OWN_RULES "99-zz-ruckelfrei.rules"
#define RF_OWN_TRIAL "99-zzz-ruckelfrei-trial.rules"
#define RF_OWN_ZRAM "90-ruckelfrei.conf"

struct _RfProvenanceSources {
    RfSysroot *sysroot;
    RfFacts *facts;
    RfSysctlFiles *sysctl;
    GPtrArray *rules;        /* of RfConfFile */
    GPtrArray *parsed_rules; /* of GPtrArray of RfUdevRule, one for each file; NULL where there is no text */
    GPtrArray *tmpfiles;     /* of RfConfFile */
    GPtrArray *tuned; /* of RfConfFile: the profiles in use, in the order in which they are laid over each other */
    GPtrArray *zram;  /* of RfConfFile: the generator's, in order */
    char *cmdline;
    gboolean tuned_reapplies;
};

/**
 * RfQuestion: what is looked for
 * @keys: names below /proc/sys with slashes, "vm/dirty_bytes": one, or the two of a pair; NULL-terminated, empty if it
 *   is no sysctl
 * @attributes: names in the folder of the device, "queue/read_ahead_kb", "bdi/read_ahead_kb"; empty if it is none
 * @paths: absolute paths under which a file of the setting can be written; NULL-terminated
 * @device_path: (nullable): sysroot-relative folder of the device
 */
typedef struct {
    const RfProvenanceSources *sources;
    const RfTunable *tunable;
    const char *instance;
    const RfValue *planned;
    char **keys;
    char **attributes;
    char **paths;
    char *device_path;
    char **choices;
    GPtrArray *setters;
} RfQuestion;

/** rf_question_add: Returns: (transfer none): a new entry. @file and @text (nullable) */
RfSetter *rf_question_add (RfQuestion *self, RfSetterKind kind, RfSetterFate fate, const RfConfFile *file, guint line,
                           const char *text);

/** rf_question_set_value: what the kernel makes of @raw for the file called @name ("vm/dirty_bytes",
 * "queue/scheduler"); changes an entry that acts to REFUSED if it takes nothing */
void rf_question_set_value (RfQuestion *self, RfSetter *setter, const char *name, const char *raw);

/** rf_question_add_unreadable: an entry for each file of @files that cannot be read */
void rf_question_add_unreadable (RfQuestion *self, RfSetterKind kind, const GPtrArray *files);

/** rf_conf_base_name: Returns: (transfer none) */
const char *rf_conf_base_name (const RfConfFile *file);

/* the sources, each adding its entries in order */
void rf_provenance_sysctl (RfQuestion *self);
void rf_provenance_udev (RfQuestion *self);
void rf_provenance_tmpfiles (RfQuestion *self);
void rf_provenance_cmdline (RfQuestion *self);
void rf_provenance_tuned (RfQuestion *self);
void rf_provenance_zram (RfQuestion *self);
void rf_provenance_late (RfQuestion *self);

/** rf_provenance_default: what the kernel has by itself. */
void rf_provenance_default (const RfFacts *facts, const RfTunable *tunable, const char *instance, RfDefaultKind *kind,
                            RfValue *value);

/* reading what only one source needs */
GPtrArray *rf_provenance_read_tuned (RfSysroot *sysroot, gboolean *reapplies);
GPtrArray *rf_provenance_read_zram (RfSysroot *sysroot);

G_END_DECLS
