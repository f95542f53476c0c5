/* The checks, each in the file of its kind. For the table in rf-check.c and its tests only. */
#pragma once

#include "rf-check.h"

G_BEGIN_DECLS

/** RfCheckFunc: @out comes with its id, its title and the verdict FINE */
typedef void (*RfCheckFunc) (const RfCheckInput *in, RfCheckResult *out);

/* what every check ends with; @evidence (transfer full) */
void rf_check_say_fine (RfCheckResult *out, char *evidence);
void rf_check_say_unknown (RfCheckResult *out, char *evidence);
/** rf_check_say_look: @title and @next: (transfer none) (nullable) translated; without @title the subject stays */
void rf_check_say_look (RfCheckResult *out, const char *title, char *evidence, const char *next);
/** rf_check_add_line: puts @line (transfer full) below what @text has, which may be NULL */
void rf_check_add_line (char **text, char *line);
/** rf_check_quote: Returns: (transfer full): @word as a shell takes it, with quotes only where it needs them */
char *rf_check_quote (const char *word);
/** rf_check_knows_swaps: whether the list of swap could be read; a kernel without swap has none */
gboolean rf_check_knows_swaps (const RfCheckInput *in);
gboolean rf_check_has_zram (const RfCheckInput *in);

RfCheckResult *rf_check_result_new (const char *id, const char *title);

void rf_check_psi (const RfCheckInput *in, RfCheckResult *out);
void rf_check_swap_drive (const RfCheckInput *in, RfCheckResult *out);
void rf_check_swap_left (const RfCheckInput *in, RfCheckResult *out);
void rf_check_zswap (const RfCheckInput *in, RfCheckResult *out);
void rf_check_huge_pages (const RfCheckInput *in, RfCheckResult *out);
void rf_check_plan_memory (const RfCheckInput *in, RfCheckResult *out);

void rf_check_space (const RfCheckInput *in, RfCheckResult *out);
void rf_check_btrfs (const RfCheckInput *in, RfCheckResult *out);
void rf_check_trim (const RfCheckInput *in, RfCheckResult *out);
void rf_check_mount_options (const RfCheckInput *in, RfCheckResult *out);
void rf_check_discard_twice (const RfCheckInput *in, RfCheckResult *out);
void rf_check_nvme_sleep (const RfCheckInput *in, RfCheckResult *out);

void rf_check_clock (const RfCheckInput *in, RfCheckResult *out);
void rf_check_programs (const RfCheckInput *in, RfCheckResult *out);
void rf_check_killers (const RfCheckInput *in, RfCheckResult *out);
void rf_check_container (const RfCheckInput *in, RfCheckResult *out);

/** rf_check_old_advice: adds one result for each kind of old advice that was found, or one that there is none */
void rf_check_old_advice (const RfCheckInput *in, GPtrArray *results);

G_END_DECLS
