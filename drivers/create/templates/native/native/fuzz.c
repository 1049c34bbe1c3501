/* Gives the verbs mutated requests: npm run fuzz -- --minutes 5 */
#define PLATEN_FUZZ
#define main helper_main
#include "helper.c"
#undef main
#include "simulation/acme_sdk.c"

/* What main does before platen_serve. */
static void begin(void) {
  band = (unsigned char *)malloc(PLATEN_BAND);
}

static void reset(void) {
  if (device) acme_close(device);
  device = NULL;
}

#define PLATEN_FUZZ_VERBS verbs
#define PLATEN_FUZZ_BEGIN begin
#define PLATEN_FUZZ_RESET reset
#include "platen_fuzz.h"
