/* X-Plane's way to tell values over UDP, as "Exchanging Data with X-Plane" in its folder Instructions describes it
 * (message RREF). Pure: what is asked, what is answered, and what a pause between two answers means.
 *
 * A request is 413 bytes: "RREF" and a NUL, how often a second (0 ends it), a number of our choice, and the name of the
 * value in 400 bytes. An answer is "RREF", one byte without meaning, and for each value its number and a float. Numbers
 * have the byte order of the processor, which for X-Plane is always little-endian. X-Plane answers between two frames, so
 * never while one takes long: its own frame time ends at about 50 ms, and what takes longer shows only as a pause. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** RF_XPLANE_REQUEST: bytes of a request */
#define RF_XPLANE_REQUEST 413

/** RF_XPLANE_ANSWER_MAX: bytes; longer is none of X-Plane's, whose answers fit into one packet of a network */
#define RF_XPLANE_ANSWER_MAX 1500

typedef enum {
    RF_XPLANE_FRAME, /* sim/operation/misc/frame_rate_period: seconds of the last frame */
    RF_XPLANE_GPU,   /* sim/time/gpu_time_per_frame_sec_approx: seconds that the graphics card took, about */
    RF_XPLANE_N_VALUES,
} RfXplaneValue;

/** rf_xplane_dataref: Returns: (transfer none): X-Plane's name of @value */
const char *rf_xplane_dataref (RfXplaneValue value);

/**
 * rf_xplane_request:
 * @hz: 0 to 99; 0: send no more
 * @number: comes back with each answer
 */
void rf_xplane_request (guint8 out[RF_XPLANE_REQUEST], gint32 hz, gint32 number, RfXplaneValue value);

/** RfXplaneAnswer: seconds; NAN for what is not in the answer, or cannot be (negative, not finite, over an hour) */
typedef struct {
    double value[RF_XPLANE_N_VALUES];
} RfXplaneAnswer;

/**
 * rf_xplane_parse:
 * @first: the number of RF_XPLANE_FRAME; the others follow
 *
 * Returns: FALSE for what is no answer, or has none of our numbers in it
 */
gboolean rf_xplane_parse (const guint8 *bytes, gsize length, gint32 first, RfXplaneAnswer *out);

/**
 * rf_xplane_freeze:
 * @hz: how often was asked for
 * @pause_ns: between two answers
 *
 * Returns: whether the pause is a freeze: at least a quarter of a second, and of four answers
 */
gboolean rf_xplane_freeze (guint hz, gint64 pause_ns);

G_END_DECLS
