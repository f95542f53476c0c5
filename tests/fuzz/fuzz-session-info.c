#include "rf-fuzz.h"

#include <string.h>

#include "rf-session-info.h"

RF_FUZZ (data, size)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (RfSessionInfo) info = rf_session_info_parse (data, size, &error);
    g_assert_true ((info != NULL) == (error == NULL));
    if (info == NULL)
        return;
    g_assert_true (g_utf8_validate (info->name, -1, NULL) && strchr (info->name, '\n') == NULL);
    g_assert_cmpuint (strlen (info->name), <=, RF_SESSION_NAME_MAX);
    g_assert_true ((info->trust == RF_TRUST_NO) == (info->untrusted->len > 0));
    /* what was accepted can be written, is accepted again, and is the same */
    g_autofree char *written = rf_session_info_format (info);
    g_autoptr (RfSessionInfo) again = rf_session_info_parse (written, strlen (written), NULL);
    g_assert_nonnull (again);
    g_autofree char *twice = rf_session_info_format (again);
    g_assert_cmpstr (twice, ==, written);
}
