#define G_LOG_DOMAIN "rf-recommendation"
#include "config.h"

#include "rf-recommendation.h"

static const char *const preset_nicks[] = {"machine", "case-study", "audio"};
static const char *const verdict_nicks[] = {"recommended", "optional", "try", "fine", "expert", "refused"};

G_STATIC_ASSERT (G_N_ELEMENTS (preset_nicks) == RF_N_PRESETS);
G_STATIC_ASSERT (G_N_ELEMENTS (verdict_nicks) == RF_N_VERDICTS);

void
rf_recommendation_free (RfRecommendation *self)
{
    if (self == NULL)
        return;
    g_free (self->instance);
    g_free (self->detail);
    g_free (self);
}

const char *
rf_preset_nick (RfPreset preset)
{
    g_return_val_if_fail ((guint) preset < RF_N_PRESETS, "");
    return preset_nicks[preset];
}

gboolean
rf_preset_from_nick (const char *nick, RfPreset *out)
{
    g_return_val_if_fail (nick != NULL && out != NULL, FALSE);
    for (guint i = 0; i < RF_N_PRESETS; i++)
        if (g_str_equal (preset_nicks[i], nick)) {
            *out = (RfPreset) i;
            return TRUE;
        }
    return FALSE;
}

const char *
rf_verdict_nick (RfVerdict verdict)
{
    g_return_val_if_fail ((guint) verdict < RF_N_VERDICTS, "");
    return verdict_nicks[verdict];
}
