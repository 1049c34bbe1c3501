/* libsane, loaded when the program starts: its functions (4.3 of the SANE standard). */
#ifndef PLATEN_SANE_LIBRARY_H
#define PLATEN_SANE_LIBRARY_H

#include <stdbool.h>

#include "sane_api.h"

struct library {
  SANE_Status (*init)(SANE_Int *version, SANE_Auth_Callback authorize);
  void (*exit)(void);
  SANE_Status (*get_devices)(const SANE_Device ***devices, SANE_Bool local_only);
  SANE_Status (*open)(SANE_String_Const name, SANE_Handle *handle);
  void (*close)(SANE_Handle handle);
  const SANE_Option_Descriptor *(*get_option_descriptor)(SANE_Handle handle, SANE_Int option);
  SANE_Status (*control_option)(SANE_Handle handle, SANE_Int option, SANE_Action action, void *value, SANE_Int *info);
  SANE_Status (*get_parameters)(SANE_Handle handle, SANE_Parameters *parameters);
  SANE_Status (*start)(SANE_Handle handle);
  SANE_Status (*read)(SANE_Handle handle, SANE_Byte *data, SANE_Int most, SANE_Int *length);
  void (*cancel)(SANE_Handle handle);
  SANE_String_Const (*strstatus)(SANE_Status status);
};

extern struct library sane;

/* Fills `sane`. False: libsane is missing or not usable, and stderr has a sentence that says what to install. */
bool load_library(void);

#endif
