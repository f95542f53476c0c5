/* Frame times of an X-Plane that runs on this machine, while it runs. Asks at 127.0.0.1 only, and listens at 127.0.0.1
 * only: there is no way to name another address. Asks again until X-Plane is there, and when it comes back. Works in the
 * main context of whoever makes it; the times are the kernel's, of the arrival, so a context that is late harms nothing. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** RF_XPLANE_PORT: where X-Plane listens */
#define RF_XPLANE_PORT 49000

/**
 * RfXplaneFrame:
 * @time_ns: CLOCK_MONOTONIC
 * @frame_ms: of X-Plane's last frame, ends at about 50; NAN if it was not told
 * @gpu_ms: what the graphics card took of it; NAN if it was not told
 * @pause_ms: since the answer before; NAN for the first, and after X-Plane was away
 * @freeze: whether that pause is one in which X-Plane stood still
 */
typedef struct {
    gint64 time_ns;
    double frame_ms;
    double gpu_ms;
    double pause_ms;
    gboolean freeze;
} RfXplaneFrame;

typedef void (*RfXplaneFunc) (const RfXplaneFrame *frame, gpointer user_data);

typedef struct _RfXplaneUdp RfXplaneUdp;

/**
 * rf_xplane_udp_new:
 * @port: RF_XPLANE_PORT, another one for tests
 * @hz: answers a second, 1 to 99
 *
 * Returns: (transfer full) (nullable): NULL with an error if no socket can be had
 */
RfXplaneUdp *rf_xplane_udp_new (guint16 port, guint hz, RfXplaneFunc func, gpointer user_data, GError **error);

/** rf_xplane_udp_free: tells X-Plane to send no more. */
void rf_xplane_udp_free (RfXplaneUdp *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfXplaneUdp, rf_xplane_udp_free)

/** rf_xplane_udp_answers: whether X-Plane has answered within the last seconds */
gboolean rf_xplane_udp_answers (RfXplaneUdp *self);

G_END_DECLS
