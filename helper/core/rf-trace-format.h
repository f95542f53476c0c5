/* Where the fields of an event lie in its record, as the kernel's own description says: the file "format" of each event
 * below tracefs (Documentation/trace/events.rst, "Event formats"). Offsets, sizes and signs differ between kernels, so
 * nothing is known in advance but names. Pure, nothing is allocated, any thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define RF_TRACE_FIELDS_MAX 48
#define RF_TRACE_FIELD_END_MAX (128 * 1024)

/**
 * RfTraceShape:
 * @RF_TRACE_PLAIN: a number
 * @RF_TRACE_ARRAY: "char rwbs[8]": the bytes are in the record
 * @RF_TRACE_DATA_LOC: "__data_loc char[] comm": a 32-bit number; low half: offset in the record, high half: length
 * @RF_TRACE_REL_LOC: "__rel_loc": the same, counted from behind the field
 *   (kernel: include/trace/stages/stage1_struct_define.h)
 */
typedef enum {
    RF_TRACE_PLAIN,
    RF_TRACE_ARRAY,
    RF_TRACE_DATA_LOC,
    RF_TRACE_REL_LOC,
} RfTraceShape;

/** RfTraceField: @offset: and @size: bytes in the record */
typedef struct {
    char name[32];
    guint32 offset;
    guint32 size;
    gboolean is_signed;
    RfTraceShape shape;
} RfTraceField;

/** RfTraceFormat: @id: what the first field of each record ("common_type") has for this event */
typedef struct {
    char name[64];
    guint16 id;
    guint n_fields;
    RfTraceField fields[RF_TRACE_FIELDS_MAX];
} RfTraceFormat;

/**
 * rf_trace_format_parse:
 * @text: a whole file "format"; need not be NUL-terminated
 * @out: written only on success
 *
 * Strict: a line before "print fmt:" that is not understood, a field that lies beyond 128 KiB, or more than
 * RF_TRACE_FIELDS_MAX of them is a failure.
 */
gboolean rf_trace_format_parse (const char *text, gsize length, RfTraceFormat *out);

/**
 * rf_trace_fields_parse:
 * @out: room for RF_TRACE_FIELDS_MAX
 *
 * Nothing but lines with fields, as in the file "header_page".
 * Returns: how many, 0 on failure
 */
guint rf_trace_fields_parse (const char *text, gsize length, RfTraceField *out);

/** rf_trace_fields_find: Returns: (nullable) (transfer none): the first of that name */
const RfTraceField *rf_trace_fields_find (const RfTraceField *fields, guint n_fields, const char *name);

/** rf_trace_format_find: Returns: (nullable) (transfer none): the field of that name */
const RfTraceField *rf_trace_format_find (const RfTraceFormat *self, const char *name);

/**
 * rf_trace_field_number:
 * @record: of @length bytes, in the byte order of this machine
 * @out: a signed field is extended to 64 bits; written only on success
 *
 * Returns: FALSE if the field is no number of 1, 2, 4 or 8 bytes, or if the record ends before it
 */
gboolean rf_trace_field_number (const RfTraceField *self, const guint8 *record, gsize length, guint64 *out);

/**
 * rf_trace_field_bytes:
 * @bytes: (out) (transfer none): points into @record
 *
 * What an array of characters has before its first NUL.
 * Returns: how many bytes; 0 also if there is no such text in the record
 */
gsize rf_trace_field_bytes (const RfTraceField *self, const guint8 *record, gsize length, const char **bytes);

G_END_DECLS
