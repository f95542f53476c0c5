/* X-Plane's side of RREF, in a thread of its own at a loopback port: answers as often as it is asked to, once between two
 * of its frames, and never while a frame takes long. Written after the same description as the program, not with its
 * code. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _RfFakeXplane RfFakeXplane;

/** rf_fake_xplane_new: @port: 0 for any free one */
RfFakeXplane *rf_fake_xplane_new (guint16 port);

/** rf_fake_xplane_free: it ends, and its port is free again. */
void rf_fake_xplane_free (RfFakeXplane *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfFakeXplane, rf_fake_xplane_free)

guint16 rf_fake_xplane_port (RfFakeXplane *self);

/** rf_fake_xplane_freeze: its next frame takes this long. */
void rf_fake_xplane_freeze (RfFakeXplane *self, guint ms);

/** rf_fake_xplane_split: an answer of its own for each value, and between them what is none of ours. */
void rf_fake_xplane_split (RfFakeXplane *self);

/** rf_fake_xplane_answers: how often it has answered so far */
guint rf_fake_xplane_answers (RfFakeXplane *self);

/** rf_fake_xplane_subscribed: how many values it is asked for now */
guint rf_fake_xplane_subscribed (RfFakeXplane *self);

G_END_DECLS
