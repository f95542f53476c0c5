/* Taking back without a bus needs the helper's program; its path is compiled in. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** rf_ctl_set_helper_program: for test builds only: another program in its place */
void rf_ctl_set_helper_program (const char *path);

G_END_DECLS
