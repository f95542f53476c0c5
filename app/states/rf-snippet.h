/* Text to copy: the command or the configuration that does by hand what Ruckelfrei cannot do here. Made from the very plan
 * that would be applied. Pure but for rf_snippet_kernel_argument(), which looks which boot loader there is. No GTK. */
#pragma once

#include "rf-plan.h"
#include "rf-record.h"

G_BEGIN_DECLS

/** rf_snippet_nix_string: Returns: (transfer full): @text as a Nix string in double quotes; nothing in it is evaluated */
char *rf_snippet_nix_string (const char *text);
/** rf_snippet_nix_indented: Returns: (transfer full): @text as what stands between two pairs of single quotes in Nix */
char *rf_snippet_nix_indented (const char *text);
/** rf_snippet_scheme_string: Returns: (transfer full): @text as a string of Guile Scheme */
char *rf_snippet_scheme_string (const char *text);

/**
 * rf_snippet_configuration:
 *
 * Returns: (transfer full) (nullable): what to put into the configuration of this system so that @plan holds after each
 *   start; NULL where Ruckelfrei can keep settings by itself. A drive without an identity gets a comment instead of a line.
 */
char *rf_snippet_configuration (const RfPlan *plan, const RfFacts *facts);

/** rf_snippet_plan_of_record: Returns: (transfer full) (nullable): what @record has set, as a plan */
RfPlan *rf_snippet_plan_of_record (const RfRecord *record);

/** rf_snippet_command: Returns: (transfer full): @plan as a command for the terminal, quoted for the shell */
char *rf_snippet_command (const RfPlan *plan);

/**
 * rf_snippet_kernel_argument:
 * @argument: "psi=1": letters, digits, "=._-" only
 *
 * Returns: (transfer full) (nullable): how this system adds an argument to the kernel's command line: a command, or a
 *   line of configuration; NULL if its boot loader is not one that we know. Source: the manual pages of grubby,
 *   kernelstub, rpm-ostree, kernel-install and Debian's grub-mkconfig, which reads /etc/default/grub.d.
 */
char *rf_snippet_kernel_argument (RfSysroot *sysroot, const RfFacts *facts, const char *argument);

G_END_DECLS
