/* Loads libsane at run time, so that the program starts, and is built, on a computer without it. */
#include "library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

struct library sane;

static const char *const file = "libsane.so.1";

static void *find(void *library, const char *name) {
  void *found = dlsym(library, name);
  if (found == NULL) fprintf(stderr, "%s has no function %s: install SANE again (the package libsane1 of Debian and Ubuntu)\n", file, name);
  return found;
}

/* C does not convert an object's pointer to a function's; POSIX does, by way of its bytes. */
#define FIND(field)                                          \
  do {                                                       \
    void *found = find(library, "sane_" #field);             \
    if (found == NULL) return false;                         \
    memcpy(&sane.field, &found, sizeof found);               \
  } while (0)

bool load_library(void) {
  /*
   * As if it were linked with -z now. RTLD_NOW: the thread that ends this program may not need the dynamic linker, whose
   * lock a backend can lose (cancel.c). RTLD_GLOBAL: backends find libsane's functions before their own of the same name.
   */
  void *library = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL) {
    fprintf(stderr, "%s: SANE is missing: install the package libsane1 (Debian, Ubuntu) or sane-backends (other systems)\n", dlerror());
    return false;
  }
  FIND(init);
  FIND(exit);
  FIND(get_devices);
  FIND(open);
  FIND(close);
  FIND(get_option_descriptor);
  FIND(control_option);
  FIND(get_parameters);
  FIND(start);
  FIND(read);
  FIND(cancel);
  FIND(strstatus);
  return true;
}
