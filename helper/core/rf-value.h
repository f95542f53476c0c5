/* The value of one tunable: a small plain struct, copied by value, no ownership. The kinds are closed; a value that
 * came over D-Bus, from the journal or from a command line is one of these or is refused. Pure functions, thread-safe. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * RfValueKind:
 * @RF_VALUE_ABSENT: nothing there (no zram device of ours); no caller may send it
 * @RF_VALUE_INT: one integer. D-Bus 'x', text "60"
 * @RF_VALUE_CHOICE: one word of a list that the kernel prints. D-Bus 's', text "none"
 * @RF_VALUE_DIRTY: {mode, amount} of a dirty pair. D-Bus '(sx)', text "ratio:10" or "bytes:268435456"
 * @RF_VALUE_VECTOR: three integers. D-Bus '(xxx)', text "4096 131072 6291456"
 * @RF_VALUE_ZRAM: {disksize in bytes, algorithm, swap priority}. D-Bus '(xsx)', text "8589934592 lz4 100"
 */
typedef enum {
    RF_VALUE_ABSENT,
    RF_VALUE_INT,
    RF_VALUE_CHOICE,
    RF_VALUE_DIRTY,
    RF_VALUE_VECTOR,
    RF_VALUE_ZRAM,
} RfValueKind;

typedef enum {
    RF_DIRTY_RATIO, /* percent of the dirtyable memory */
    RF_DIRTY_BYTES,
} RfDirtyMode;

#define RF_TOKEN_MAX 32

/**
 * RfValue:
 * @n: INT: n[0]; DIRTY: n[0] amount, n[1] RfDirtyMode; VECTOR: n[0..2]; ZRAM: n[0] disksize in bytes, n[1] priority
 * @token: CHOICE: the word; ZRAM: the algorithm. [a-z0-9_-], NUL-terminated; zeros otherwise
 */
typedef struct {
    RfValueKind kind;
    gint64 n[3];
    char token[RF_TOKEN_MAX];
} RfValue;

RfValue rf_value_absent (void);
RfValue rf_value_int (gint64 number);
/** rf_value_choice: @token longer than RF_TOKEN_MAX - 1 or with other characters than [a-z0-9_-] gives ABSENT. */
RfValue rf_value_choice (const char *token);
RfValue rf_value_dirty (RfDirtyMode mode, gint64 amount);
RfValue rf_value_vector (gint64 a, gint64 b, gint64 c);
RfValue rf_value_zram (gint64 size_bytes, const char *algorithm, gint64 priority);

gboolean rf_value_equal (const RfValue *a, const RfValue *b);

/** rf_value_to_text: Returns: (transfer full): canonical text, see RfValueKind; ABSENT is "absent". */
char *rf_value_to_text (const RfValue *value);

/**
 * rf_value_from_text:
 * @kind: the kind that is expected; "absent" is accepted for ZRAM as well
 * @out: written only on success
 *
 * Accepts only what rf_value_to_text() writes. Says nothing about the range.
 */
gboolean rf_value_from_text (RfValueKind kind, const char *text, RfValue *out, GError **error);

/** rf_value_to_variant: Returns: (transfer floating): see RfValueKind; ABSENT is 's' "absent" (only in records). */
GVariant *rf_value_to_variant (const RfValue *value);

/** rf_value_from_variant: the exact type for @kind or an RF_ERROR_INVALID. @out is written only on success. */
gboolean rf_value_from_variant (RfValueKind kind, GVariant *variant, RfValue *out, GError **error);

G_END_DECLS
