/* Other programs that turn the same screws, and whether they run. Known from what systemd leaves in the file system
 * (unit files, links of what is switched on, control groups), so nobody has to be asked over a bus. Reads only. */
#pragma once

#include "rf-sysroot.h"

G_BEGIN_DECLS

typedef enum {
    RF_PROGRAM_TUNED,
    RF_PROGRAM_TLP,
    RF_PROGRAM_CACHYOS, /* cachyos-settings: files only, no service */
    RF_PROGRAM_POP,     /* Pop!_OS' default settings and its zram script */
    RF_PROGRAM_SYSTEM76,
    RF_PROGRAM_GAMEMODE,
    RF_PROGRAM_OOMD,
    RF_PROGRAM_EARLYOOM,
    RF_PROGRAM_NOHANG,
    RF_PROGRAM_FSTRIM_TIMER,
    RF_N_PROGRAMS,
} RfProgramId;

/** RfProgramState: the higher, the more it does. */
typedef enum {
    RF_PROGRAM_ABSENT,
    RF_PROGRAM_INSTALLED,
    RF_PROGRAM_ENABLED, /* starts with the system; whether it runs now cannot be seen */
    RF_PROGRAM_RUNNING, /* or, for files that are read at each start: in force */
} RfProgramState;

/**
 * RfPrograms:
 * @known: systemd runs this machine; without it a service is not seen although it may run
 */
typedef struct {
    gboolean known;
    RfProgramState state[RF_N_PROGRAMS];
} RfPrograms;

void rf_programs_read (RfSysroot *sysroot, RfPrograms *out);

/** rf_program_name: Returns: (transfer none): as its makers write it: "TuneD" */
const char *rf_program_name (RfProgramId id);
/** rf_program_evidence: Returns: (transfer none): the unit or file it is known by: "tuned.service" */
const char *rf_program_evidence (RfProgramId id);

G_END_DECLS
