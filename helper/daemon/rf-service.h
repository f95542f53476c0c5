/* The object on the bus. Admits calls through RfGate, runs one job at a time, keeps the one trial and its guard. Lives
 * in the main thread; only the gate runs in the threads of the calls. */
#pragma once

#include "rf-authority.h"
#include "rf-idle.h"
#include "rf-journal.h"

#include "rf-helper1-generated.h"

G_BEGIN_DECLS

#define RF_SERVICE_NAME "io.github.ruckelfrei.Helper1"
#define RF_SERVICE_PATH "/io/github/ruckelfrei/Helper1"
#define RF_SERVICE_PROTOCOL 1

#define RF_TYPE_SERVICE (rf_service_get_type ())
G_DECLARE_FINAL_TYPE (RfService, rf_service, RF, SERVICE, RfHelper1Skeleton)

/**
 * rf_service_new:
 * @journal: (transfer full): recovered already
 * @authority: (transfer full)
 */
RfService *rf_service_new (RfMachine *machine, RfJournal *journal, RfAuthority *authority, RfIdle *idle);

/** rf_service_export: from here on calls are answered. */
gboolean rf_service_export (RfService *self, GDBusConnection *bus, GError **error);

/**
 * rf_service_stop:
 *
 * Takes no more calls, cancels the job, takes the trial back; @stopped is called when that is done.
 */
void rf_service_stop (RfService *self, GSourceFunc stopped, gpointer data);

G_END_DECLS
