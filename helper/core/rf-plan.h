/* What shall be changed: an immutable, reference-counted list of (tunable, instance, value). What was validated and
 * authorised is the very object that is applied. Thread-safe after creation. */
#pragma once

#include "rf-catalogue.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/** RF_PLAN_MAX_CHANGES: more in one plan is RF_ERROR_LIMIT. */
#define RF_PLAN_MAX_CHANGES 64
/** RF_PLAN_VARIANT_TYPE: (tunable id, instance id, value) */
#define RF_PLAN_VARIANT_TYPE "a(ssv)"

typedef struct {
    const RfTunable *tunable;
    char *instance; /* "" when the tunable has none */
    RfValue value;
} RfChange;

typedef struct _RfPlan RfPlan;

RfPlan *rf_plan_ref (RfPlan *self);
void rf_plan_unref (RfPlan *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfPlan, rf_plan_unref)

guint rf_plan_length (const RfPlan *self);
/** rf_plan_get: Returns: (transfer none): change number @index; the order is the order of applying. */
const RfChange *rf_plan_get (const RfPlan *self, guint index);
/** rf_plan_has_backend: whether any change goes through @backend (decides the polkit action). */
gboolean rf_plan_has_backend (const RfPlan *self, RfBackendKind backend);

/**
 * rf_plan_from_variant:
 * @variant: of RF_PLAN_VARIANT_TYPE, from anybody
 *
 * Checks form only: known ids, right types, at most RF_PLAN_MAX_CHANGES, no (tunable, instance) twice, not empty,
 * instance at most 64 printable ASCII bytes. Whether it fits this machine is rf_plan_validate().
 * Changes are put into catalogue order, which is the order that is safe to write (scheduler before WBT).
 */
RfPlan *rf_plan_from_variant (GVariant *variant, GError **error);

/** rf_plan_to_variant: Returns: (transfer floating) */
GVariant *rf_plan_to_variant (const RfPlan *self);

/**
 * rf_plan_validate:
 *
 * Every change is available here and in the sane range; a background limit in the same mode lies below the hard one.
 */
gboolean rf_plan_validate (const RfPlan *self, const RfFacts *facts, GError **error);

/** RfPlanBuilder: for the app, which puts a plan together step by step; one thread. */
typedef struct _RfPlanBuilder RfPlanBuilder;
RfPlanBuilder *rf_plan_builder_new (void);
void rf_plan_builder_free (RfPlanBuilder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfPlanBuilder, rf_plan_builder_free)
/** rf_plan_builder_set: adds or replaces. */
void rf_plan_builder_set (RfPlanBuilder *self, const RfTunable *tunable, const char *instance, const RfValue *value);
void rf_plan_builder_unset (RfPlanBuilder *self, const RfTunable *tunable, const char *instance);
guint rf_plan_builder_length (const RfPlanBuilder *self);
/** rf_plan_builder_finish: Returns: (transfer full) (nullable): NULL with RF_ERROR_INVALID if it is empty. */
RfPlan *rf_plan_builder_finish (const RfPlanBuilder *self, GError **error);

G_END_DECLS
