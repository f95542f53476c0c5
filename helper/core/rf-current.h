/* The value a tunable has now. Reads only, through the sysroot. */
#pragma once

#include "rf-tunable.h"

G_BEGIN_DECLS

/**
 * rf_current_read:
 * @out: written only on success
 *
 * For a dirty pair the active member decides (bytes mode if *_bytes is not 0). For a CHOICE the bracketed word.
 * For swap.zram: the device of ours (marker, see rf_zram_marker_read()), else ABSENT, which is a success.
 * Returns: TRUE, or FALSE with RF_ERROR_UNAVAILABLE and the reason (no file; WBT without an object gives EINVAL) or
 * RF_ERROR_IO
 */
gboolean rf_current_read (RfSysroot *sysroot, const RfFacts *facts, const RfTunable *tunable, const char *instance,
                          RfValue *out, GError **error);

/**
 * rf_current_choices:
 *
 * Returns: (transfer full) (nullable): what a CHOICE may be set to here now ("none", "mq-deadline"), exact words
 */
char **rf_current_choices (RfSysroot *sysroot, const RfTunable *tunable, const char *instance);

/**
 * RF_ZRAM_MARKER: sysroot-relative file below /run in which the helper notes the zram device it made:
 * one line, "zram3 8589934592 lz4 100 17\n", the last number being its diskseq (without where the kernel has none, before
 * 5.15, and until the device exists): a device that others make later may get the same name, but not this number. /run,
 * because a zram device does not survive a reboot either.
 */
#define RF_ZRAM_MARKER "run/ruckelfrei/zram"

/**
 * rf_zram_marker_parse:
 * @device: (out) (transfer full): "zram3"
 * @diskseq: (out): 0 if there is none
 *
 * Strict; FALSE if the text is anything else than one such line. Pure.
 */
gboolean rf_zram_marker_parse (const char *text, char **device, RfValue *value, guint64 *diskseq);

/** rf_zram_marker_format: Returns: (transfer full): the line, without a diskseq if that is 0. Pure. */
char *rf_zram_marker_format (const char *device, const RfValue *value, guint64 diskseq);

/** rf_zram_diskseq: Returns: the number of this device, 0 if there is none */
guint64 rf_zram_diskseq (RfSysroot *sysroot, const char *device);

/**
 * rf_zram_marker_read:
 * @device: (out) (transfer full) (optional)
 * @value: (out) (optional): what was asked for
 *
 * The marker together with the proof: the device it names exists, is the same, and has the size that it states (which the
 * kernel rounds up to whole pages). One that is gone or was set up anew by somebody else is not ours any more.
 */
gboolean rf_zram_marker_read (RfSysroot *sysroot, char **device, RfValue *value);

G_END_DECLS
