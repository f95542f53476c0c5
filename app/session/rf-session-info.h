/* session.ini of a recording: what it is of. Reads what anybody may have written: what is known must be well-formed, what
 * is not known is passed over. Pure, no files, one thread. */
#pragma once

#include "rf-recording.h"

G_BEGIN_DECLS

/** RF_SESSION_INFO_MAX: bytes of a session.ini, far more than any machine needs */
#define RF_SESSION_INFO_MAX (512 * 1024)
/** RF_SESSION_NAME_MAX: bytes of a name or of the text of a mark */
#define RF_SESSION_NAME_MAX 200

/** RfSessionMark: @text: as the person wrote it, may be empty */
typedef struct {
    gint64 time_ns;
    char *text;
} RfSessionMark;

typedef enum {
    RF_TRUST_UNCHECKED, /* nothing was there to check against, or it ended before the check */
    RF_TRUST_YES,
    RF_TRUST_NO,
} RfTrust;

/**
 * RfSessionInfo:
 * @name: as the user calls it
 * @created_us, @ended_us: microseconds since 1970, whole seconds; 0: not known, not ended
 * @end_reason: (nullable): "stopped", "limit", "reader-gone", "disk-full" …; NULL if the end is missing
 * @source, @workload, the anchors: as in RfRecording
 * @hz: 0: not known
 * @program: "ruckelfrei 0.1.0"
 * @machine: (element-type utf8 utf8): "kernel", "model", "cpus", "ram-bytes", "drive-1" …; no serial number, no host name
 * @settings_start, @settings_end: id or id:instance → value; the second is (nullable)
 * @marks: (element-type RfSessionMark): in order of time
 * @untrusted: (element-type utf8): with RF_TRUST_NO at least one reason
 */
typedef struct {
    char *name;
    char *source;
    char *workload;
    char *program;
    char *end_reason;
    gint64 created_us;
    gint64 ended_us;
    gint64 anchor_monotonic_ns;
    gint64 anchor_wall_us;
    guint hz;
    gboolean traced;
    RfTrust trust;
    GHashTable *machine;
    GHashTable *settings_start;
    GHashTable *settings_end;
    GPtrArray *marks;
    GPtrArray *untrusted;
} RfSessionInfo;

RfSessionInfo *rf_session_info_new (void);
void rf_session_info_free (RfSessionInfo *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfSessionInfo, rf_session_info_free)

/** rf_session_info_add_mark: @text: cut to RF_SESSION_NAME_MAX bytes at a whole character */
void rf_session_info_add_mark (RfSessionInfo *self, gint64 time_ns, const char *text);

/** rf_session_info_parse: @text: @length bytes, any. Returns: NULL with RF_ERROR_INVALID, which names the key */
RfSessionInfo *rf_session_info_parse (const char *text, gsize length, GError **error);

/** rf_session_info_format: Returns: (transfer full): what rf_session_info_parse() reads */
char *rf_session_info_format (const RfSessionInfo *self);

/** rf_session_clean: Returns: (transfer full): one line of valid UTF-8 without control characters or blanks around it, at
 * most RF_SESSION_NAME_MAX bytes: what a name or a mark may be */
char *rf_session_clean (const char *text);

G_END_DECLS
