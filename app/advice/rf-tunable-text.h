/* The words: everything a person reads about a tunable, a verdict, a record. English in the source, translated by
 * gettext; used by the window and by the terminal client, so no GTK and no markup here. Numbers in the user's locale.
 * All returned strings are (transfer full) unless const. Main thread. */
#pragma once

#include "rf-recommendation.h"
#include "rf-record.h"

G_BEGIN_DECLS

const char *rf_tunable_title (const RfTunable *tunable);       /* "Distance at which clearing starts" */
const char *rf_tunable_explanation (const RfTunable *tunable); /* two or three sentences: what it is, what it does */
/** rf_tunable_kernel_name: "vm.dirty_bytes" for a pair in bytes mode, "queue/scheduler (nvme0n1)" for a queue */
char *rf_tunable_kernel_name (const RfTunable *tunable, const char *instance, const RfValue *value);
/** rf_tunable_instance_label: "Samsung SSD 990 (nvme0n1)", NULL where there is no instance */
char *rf_tunable_instance_label (const RfTunable *tunable, const char *instance, const RfFacts *facts);
/** rf_value_text: a value as a person says it: "15 s", "256 MiB", "10 % of memory", "0.1 % of memory", "none" */
char *rf_value_text (const RfTunable *tunable, const RfValue *value);
/** rf_value_raw_text: as the kernel has it: "1500", "268435456" */
char *rf_value_raw_text (const RfTunable *tunable, const RfValue *value);

/** rf_setting_title: with the device where there is one: "IO scheduler · Samsung SSD 990 (nvme0n1)" */
char *rf_setting_title (const RfTunable *tunable, const char *instance, const RfFacts *facts);
/** rf_setting_change_text: "0.1 % of memory → 1.25 % of memory"; without @before or @after (nullable) the other alone */
char *rf_setting_change_text (const RfTunable *tunable, const RfValue *before, const RfValue *after);
/** rf_setting_kernel_text: "vm.watermark_scale_factor 10 → 125"; @before, @after (nullable) */
char *rf_setting_kernel_text (const RfTunable *tunable, const char *instance, const RfValue *before,
                              const RfValue *after);

const char *rf_group_title (RfGroup group);   /* "Memory pressure" */
const char *rf_group_headline (RfGroup group); /* "Give the kernel a head start" */
const char *rf_group_problem (RfGroup group); /* three plain sentences */
const char *rf_preset_title (RfPreset preset);
const char *rf_preset_explanation (RfPreset preset);
const char *rf_verdict_text (RfVerdict verdict);
char *rf_recommendation_reason (const RfRecommendation *row);
char *rf_recommendation_cost (const RfRecommendation *row);  /* NULL if there is none */
char *rf_recommendation_doubt (const RfRecommendation *row); /* NULL if there is none */

const char *rf_record_state_text (RfRecordState state);
const char *rf_entry_state_text (RfEntryState state);
const char *rf_reason_text (RfReason reason); /* "The time was over." */
const char *rf_avail_text (RfAvail avail);    /* "not available: off, boot with psi=1" */
/** rf_zram_held_text: what compressed swap holds, and whether it can be emptied now; NULL if that is not known */
char *rf_zram_held_text (const RfSnapshot *snapshot, guint64 ram_bytes);

/* sizes and rates: IEC for memory, SI for disks */
char *rf_format_bytes (guint64 bytes);          /* "1.4 GiB" */
char *rf_format_disk_bytes (guint64 bytes);     /* "1 TB", as drives are sold */
char *rf_format_bytes_per_s (double bytes);     /* "12 MB/s" */
char *rf_format_per_s (double value);           /* "38 /s" */
char *rf_format_percent (double ratio);         /* "1.5 %" */
char *rf_format_ms (double ms);                 /* "1.9 ms", "28.7 s" */
char *rf_format_duration (double seconds);      /* "15 s", "2 min" */
/** rf_measure_format: by the measure of a column; NAN gives "not available" */
char *rf_measure_format (RfMeasure measure, double value);

G_END_DECLS
