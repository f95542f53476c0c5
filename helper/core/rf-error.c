#define G_LOG_DOMAIN "rf-error"
#include "config.h"

#include "rf-error.h"

#include <errno.h>

#define NAME(x) "io.github.ruckelfrei.Error." x

static const GDBusErrorEntry entries[] = {
    {RF_ERROR_FAILED, NAME ("Failed")},
    {RF_ERROR_INVALID, NAME ("Invalid")},
    {RF_ERROR_OUT_OF_RANGE, NAME ("OutOfRange")},
    {RF_ERROR_UNKNOWN, NAME ("Unknown")},
    {RF_ERROR_UNAVAILABLE, NAME ("Unavailable")},
    {RF_ERROR_NOT_AUTHORIZED, NAME ("NotAuthorized")},
    {RF_ERROR_DISMISSED, NAME ("Dismissed")},
    {RF_ERROR_NO_AGENT, NAME ("NoAgent")},
    {RF_ERROR_AUTHORITY_GONE, NAME ("AuthorityGone")},
    {RF_ERROR_CALLER_GONE, NAME ("CallerGone")},
    {RF_ERROR_BUSY, NAME ("Busy")},
    {RF_ERROR_LIMIT, NAME ("Limit")},
    {RF_ERROR_REFUSED, NAME ("Refused")},
    {RF_ERROR_MISMATCH, NAME ("Mismatch")},
    {RF_ERROR_READ_ONLY, NAME ("ReadOnly")},
    {RF_ERROR_CONFLICT, NAME ("Conflict")},
    {RF_ERROR_FOREIGN, NAME ("Foreign")},
    {RF_ERROR_NO_MEMORY, NAME ("NoMemory")},
    {RF_ERROR_JOURNAL, NAME ("Journal")},
    {RF_ERROR_CANCELLED, NAME ("Cancelled")},
    {RF_ERROR_STATE, NAME ("State")},
    {RF_ERROR_IO, NAME ("IO")},
};

static const char *const nicks[] = {
    "failed",    "invalid",   "out-of-range",   "unknown",     "unavailable", "not-authorized",
    "dismissed", "no-agent",  "authority-gone", "caller-gone", "busy",        "limit",
    "refused",   "mismatch",  "read-only",      "conflict",    "foreign",     "no-memory",
    "journal",   "cancelled", "state",          "io",
};

G_STATIC_ASSERT (G_N_ELEMENTS (entries) == RF_ERROR_N_CODES);
G_STATIC_ASSERT (G_N_ELEMENTS (nicks) == RF_ERROR_N_CODES);

GQuark
rf_error_quark (void)
{
    static gsize quark = 0;
    g_dbus_error_register_error_domain ("rf-error-quark", &quark, entries, G_N_ELEMENTS (entries));
    return (GQuark)quark;
}

const char *
rf_error_code_nick (RfError code)
{
    g_return_val_if_fail ((guint)code < RF_ERROR_N_CODES, "failed");
    return nicks[code];
}

RfError
rf_error_from_errno (int errnum)
{
    switch (errnum) {
    case EROFS:
    case EACCES:
    case EPERM:
        return RF_ERROR_READ_ONLY;
    case ENOENT:
    case ENOTDIR:
    case ENODEV:
    case ENXIO:
    case EOPNOTSUPP:
        return RF_ERROR_UNAVAILABLE;
    case EINVAL:
    case ERANGE:
        return RF_ERROR_REFUSED;
    default:
        return RF_ERROR_IO;
    }
}
