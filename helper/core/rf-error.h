/* One error domain for everything below the window. The helper returns a code and an untranslated detail;
 * the app owns the sentence a person reads (app/client/rf-message). Codes travel over D-Bus as
 * io.github.ruckelfrei.Error.<Name>. Thread-safe. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define RF_ERROR (rf_error_quark ())

/**
 * RfError:
 * @RF_ERROR_FAILED: anything that has no better word
 * @RF_ERROR_INVALID: malformed request or text; nothing was looked up or changed
 * @RF_ERROR_OUT_OF_RANGE: a number outside the range that is sane on this machine
 * @RF_ERROR_UNKNOWN: no such tunable, instance or record
 * @RF_ERROR_UNAVAILABLE: the tunable exists, but not on this kernel or machine
 * @RF_ERROR_NOT_AUTHORIZED: polkit said no
 * @RF_ERROR_DISMISSED: the person closed the password dialog
 * @RF_ERROR_NO_AGENT: nobody can be asked (no agent, or the caller forbade interaction)
 * @RF_ERROR_AUTHORITY_GONE: polkit absent, failing or too slow: refused
 * @RF_ERROR_CALLER_GONE: the caller left the bus while being checked
 * @RF_ERROR_BUSY: another job or trial is running
 * @RF_ERROR_LIMIT: a limit per caller was hit
 * @RF_ERROR_REFUSED: the kernel refused the value
 * @RF_ERROR_MISMATCH: the write succeeded but reads back otherwise
 * @RF_ERROR_READ_ONLY: the target cannot be written (container, immutable system, sandbox)
 * @RF_ERROR_CONFLICT: somebody else changed the value meanwhile; it was left alone
 * @RF_ERROR_FOREIGN: owned by another program (zram), never touched
 * @RF_ERROR_NO_MEMORY: not enough free memory to take the swap back now
 * @RF_ERROR_JOURNAL: the journal is damaged or from a newer version
 * @RF_ERROR_CANCELLED: cancelled by the caller, everything is as before
 * @RF_ERROR_STATE: the record is not in a state that allows this
 * @RF_ERROR_IO: reading or writing a file failed
 */
typedef enum {
    RF_ERROR_FAILED,
    RF_ERROR_INVALID,
    RF_ERROR_OUT_OF_RANGE,
    RF_ERROR_UNKNOWN,
    RF_ERROR_UNAVAILABLE,
    RF_ERROR_NOT_AUTHORIZED,
    RF_ERROR_DISMISSED,
    RF_ERROR_NO_AGENT,
    RF_ERROR_AUTHORITY_GONE,
    RF_ERROR_CALLER_GONE,
    RF_ERROR_BUSY,
    RF_ERROR_LIMIT,
    RF_ERROR_REFUSED,
    RF_ERROR_MISMATCH,
    RF_ERROR_READ_ONLY,
    RF_ERROR_CONFLICT,
    RF_ERROR_FOREIGN,
    RF_ERROR_NO_MEMORY,
    RF_ERROR_JOURNAL,
    RF_ERROR_CANCELLED,
    RF_ERROR_STATE,
    RF_ERROR_IO,
    RF_ERROR_N_CODES
} RfError;

GQuark rf_error_quark (void);

/**
 * rf_error_code_nick:
 *
 * Returns: (transfer none): the stable machine word of @code ("not-authorized"), for --json and logs.
 */
const char *rf_error_code_nick (RfError code);

/**
 * rf_error_from_errno:
 *
 * Maps an errno of a read or write to the code that tells a person most: EROFS → READ_ONLY, ENOENT and ENOTDIR →
 * UNAVAILABLE, EINVAL → REFUSED, everything else → IO.
 */
RfError rf_error_from_errno (int errnum);

G_END_DECLS
