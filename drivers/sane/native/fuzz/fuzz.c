/*
 * Fuzzes platen-sane-helper over a made-up libsane: a device with an option of each type, text that is not UTF-8, and backends'
 * answers that depend on the device's name, so that an input decides them.
 */
#define PLATEN_FUZZ
#define main helper_main
#include "../main.c"
#undef main

static unsigned char plan[16]; /* of the open device */
static int left, frame;

static SANE_Status made_init(SANE_Int *version, SANE_Auth_Callback authorize) {
  (void)authorize;
  *version = SANE_VERSION_CODE(1, 2, 3);
  return SANE_STATUS_GOOD;
}

static void made_exit(void) {}

static SANE_Status made_devices(const SANE_Device ***devices, SANE_Bool local_only) {
  static const SANE_Device one = {"a\xfc", "B\xfcro", NULL, "scanner"};
  static const SANE_Device *list[] = {&one, NULL};
  *devices = local_only ? list + 1 : list;
  return SANE_STATUS_GOOD;
}

static SANE_Status made_open(SANE_String_Const name, SANE_Handle *handle) {
  if (name[0] == 0) return SANE_STATUS_INVAL;
  memset(plan, 0, sizeof plan);
  for (size_t i = 0; name[i] != 0; i++) plan[i % sizeof plan] = (unsigned char)(plan[i % sizeof plan] + (unsigned char)name[i]);
  *handle = plan;
  left = frame = 0;
  return SANE_STATUS_GOOD;
}

static void made_close(SANE_Handle handle) { (void)handle; }

static const SANE_Option_Descriptor *made_option(SANE_Handle handle, SANE_Int index) {
  static const SANE_Range range = {-100, 100, 1};
  static const SANE_Word words[] = {3, 75, 150, 300};
  static const SANE_String_Const strings[] = {"Gr\xe4u", "Color", NULL};
  enum { CAP = SANE_CAP_SOFT_SELECT | SANE_CAP_SOFT_DETECT };
  static const SANE_Option_Descriptor all[] = {
      {.name = "", .type = SANE_TYPE_INT, .size = sizeof(SANE_Word), .cap = SANE_CAP_SOFT_DETECT},
      {.name = "g", .type = SANE_TYPE_GROUP},
      {.name = "b", .type = SANE_TYPE_BOOL, .size = sizeof(SANE_Word), .cap = CAP},
      {.name = "i", .type = SANE_TYPE_INT, .size = sizeof(SANE_Word), .cap = CAP, .constraint_type = SANE_CONSTRAINT_RANGE, .constraint.range = &range},
      {.name = "w", .type = SANE_TYPE_INT, .size = sizeof(SANE_Word), .cap = CAP, .constraint_type = SANE_CONSTRAINT_WORD_LIST, .constraint.word_list = words},
      {.name = "f", .type = SANE_TYPE_FIXED, .size = sizeof(SANE_Word), .cap = CAP},
      {.name = "s", .type = SANE_TYPE_STRING, .size = 6, .cap = CAP, .constraint_type = SANE_CONSTRAINT_STRING_LIST, .constraint.string_list = strings},
      {.name = NULL, .type = SANE_TYPE_BUTTON, .cap = SANE_CAP_SOFT_SELECT},
      {.name = "t", .type = SANE_TYPE_INT, .size = 256 * sizeof(SANE_Word), .cap = CAP, .constraint_type = SANE_CONSTRAINT_RANGE},
  };
  (void)handle;
  return index >= 0 && index < (SANE_Int)(sizeof all / sizeof *all) ? &all[index] : NULL;
}

static SANE_Status made_control(SANE_Handle handle, SANE_Int index, SANE_Action action, void *value, SANE_Int *info) {
  const SANE_Option_Descriptor *option = made_option(handle, index);
  if (option == NULL) return SANE_STATUS_INVAL;
  if (info != NULL) *info = plan[0];
  if (action != SANE_ACTION_GET_VALUE) return plan[1] % 4 == 3 ? SANE_STATUS_INVAL : SANE_STATUS_GOOD;
  memset(value, plan[2], (size_t)option->size); /* a string without an end, too */
  if (index == 0) *(SANE_Word *)value = 12;
  return SANE_STATUS_GOOD;
}

static SANE_Status made_parameters(SANE_Handle handle, SANE_Parameters *now) {
  static const int depths[] = {8, 16, 1};
  (void)handle;
  now->format = (SANE_Frame)(plan[3] % 4 > 1 ? SANE_FRAME_RED + (frame + plan[3] % 4) % 3 : plan[3] % 6);
  now->last_frame = frame >= 2 || plan[4] % 8 == 7;
  now->bytes_per_line = 1 + plan[5] % 100;
  now->pixels_per_line = now->bytes_per_line;
  now->lines = plan[6] % 60 - 1;
  now->depth = depths[plan[7] % 3];
  return SANE_STATUS_GOOD;
}

static SANE_Status made_start(SANE_Handle handle) {
  (void)handle;
  left = 1 + plan[8] * 40;
  frame++;
  return plan[9] % 8 == 7 ? SANE_STATUS_JAMMED : SANE_STATUS_GOOD;
}

static SANE_Status made_read(SANE_Handle handle, SANE_Byte *data, SANE_Int most, SANE_Int *length) {
  SANE_Int some = 1 + plan[10] * 20;
  (void)handle;
  if (left <= 0) return plan[11] % 8 == 7 ? (SANE_Status)plan[11] : SANE_STATUS_EOF;
  if (some > most) some = most;
  if (some > left) some = left;
  memset(data, plan[12], (size_t)some);
  left -= some;
  *length = some;
  return SANE_STATUS_GOOD;
}

static void made_cancel(SANE_Handle handle) { (void)handle; left = 0; }
static SANE_String_Const made_status(SANE_Status status) { return status == SANE_STATUS_JAMMED ? "Document feeder jammed" : "Status"; }

struct library sane = {made_init, made_exit, made_devices, made_open, made_close, made_option, made_control, made_parameters, made_start, made_read, made_cancel, made_status};
bool load_library(void) { return true; }

static platen_verb verbs[VERBS + 1] = {{"cancel", cancel, 1}};

static void begin_fuzzing(void) {
  for (size_t i = 0; i < VERBS; i++) verbs[i + 1] = (platen_verb){table[i].name, run, 0};
  prepare_turns();
}

static void reset(void) {
  device_close();
  scan_over();
  cancelled_below = -INFINITY;
}

#define PLATEN_FUZZ_VERBS verbs
#define PLATEN_FUZZ_BEGIN begin_fuzzing
#define PLATEN_FUZZ_RESET reset
#include "platen_fuzz.h"
