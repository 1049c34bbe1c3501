/*
 * A SANE backend of the tests' own: a scanner whose paper, body and faults are files of a folder, `body` in SANE_CONFIG_DIR. It has what
 * the `test` backend lacks: two sides, sensors, a feeder that can be loaded and that jams at one sheet, and deaf or dying vendor code.
 *
 *   body/is         words: flatbed feeder duplex-source duplex-option sensors
 *   body/feeder/    a file is a sheet; feeding removes the first one
 *   body/fault      "2 JAMMED": what the second sheet since the last sane_cancel meets
 */
#include <dirent.h>
#include <sane/sane.h>
#include <sane/saneopts.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum option { COUNT, SOURCE, MODE, RESOLUTION, PREPICK, DUPLEX, LEFT, TOP, RIGHT, BOTTOM, PAGE_LOADED, COVER_OPEN, DOUBLE_FEED, OPTIONS };

enum { WORD = 32, PATH = 4096 };

struct scanner {
  SANE_Option_Descriptor options[OPTIONS];
  SANE_Word numbers[OPTIONS];
  char words[OPTIONS][WORD];
  SANE_String_Const sources[4];
  bool open, front_was_scanned, scanning, double_feed;
  volatile bool cancelled;
  int sheet;    /* of this batch */
  int in_path;  /* taken from the feeder and not scanned yet */
  int end;      /* bytes of the page */
  int sent;
  char fault[WORD];
};

static struct scanner scanner;
static char body[PATH];
static const SANE_Device device = {"0", "Platen", "Simulated", "multi-function peripheral"};
static const SANE_String_Const modes[] = {SANE_VALUE_SCAN_MODE_LINEART, SANE_VALUE_SCAN_MODE_GRAY, SANE_VALUE_SCAN_MODE_COLOR, NULL};
static const SANE_String_Const picks[] = {"On", "Off", NULL};
static const SANE_Word resolutions[] = {4, 75, 150, 300, 600};
static const SANE_Range across = {SANE_FIX(0), SANE_FIX(216), 0}, down = {SANE_FIX(0), SANE_FIX(360), 0};

static FILE *file(const char *name) {
  char path[PATH + 64];
  snprintf(path, sizeof path, "%s/%s", body, name);
  return fopen(path, "r");
}

static bool is(const char *word) {
  char all[256] = "";
  FILE *from = file("is");
  if (from == NULL) return false;
  all[fread(all, 1, sizeof all - 1, from)] = 0;
  fclose(from);
  return strstr(all, word) != NULL;
}

/* The first sheet's path; false when there is none. */
static bool first_sheet(char *path, size_t size) {
  char folder[PATH + 64], first[256] = "";
  snprintf(folder, sizeof folder, "%s/feeder", body);
  DIR *sheets = opendir(folder);
  if (sheets == NULL) return false;
  for (struct dirent *each; (each = readdir(sheets)) != NULL;) {
    if (each->d_name[0] != '.' && (first[0] == 0 || strcmp(each->d_name, first) < 0)) snprintf(first, sizeof first, "%s", each->d_name);
  }
  closedir(sheets);
  snprintf(path, size, "%s/%s", folder, first);
  return first[0] != 0;
}

static bool take_sheet(void) {
  char path[PATH + 512];
  return first_sheet(path, sizeof path) && unlink(path) == 0;
}

static void find_fault(int sheet) {
  int at = 0;
  scanner.fault[0] = 0;
  FILE *from = file("fault");
  if (from == NULL) return;
  if (fscanf(from, "%d %31s", &at, scanner.fault) != 2 || at != sheet) scanner.fault[0] = 0;
  fclose(from);
}

static SANE_Status status_of(const char *fault) {
  static const char *const names[] = {"GOOD",   "UNSUPPORTED", "CANCELLED",  "DEVICE_BUSY", "INVAL",  "EOF",
                                      "JAMMED", "NO_DOCS",     "COVER_OPEN", "IO_ERROR",    "NO_MEM", "ACCESS_DENIED"};
  for (int i = 0; i < (int)(sizeof names / sizeof *names); i++) {
    if (strcmp(names[i], fault) == 0) return (SANE_Status)i;
  }
  return strcmp(fault, "DOUBLE_FEED") == 0 ? SANE_STATUS_JAMMED : SANE_STATUS_GOOD;
}

static void describe(enum option at, const char *name, SANE_Value_Type type, SANE_Unit unit, SANE_Int cap) {
  SANE_Option_Descriptor *option = &scanner.options[at];
  *option = (SANE_Option_Descriptor){.name = name, .title = name, .desc = "", .type = type, .unit = unit, .cap = cap};
  option->size = type == SANE_TYPE_STRING ? WORD : (SANE_Int)sizeof(SANE_Word);
}

static void choose(enum option at, const SANE_String_Const *list) {
  scanner.options[at].constraint_type = SANE_CONSTRAINT_STRING_LIST;
  scanner.options[at].constraint.string_list = list;
  snprintf(scanner.words[at], WORD, "%s", list[0]);
}

static void corner(enum option at, const char *name, const SANE_Range *range, SANE_Word value) {
  describe(at, name, SANE_TYPE_FIXED, SANE_UNIT_MM, SANE_CAP_SOFT_SELECT | SANE_CAP_SOFT_DETECT);
  scanner.options[at].constraint_type = SANE_CONSTRAINT_RANGE;
  scanner.options[at].constraint.range = range;
  scanner.numbers[at] = value;
}

static void build(void) {
  const SANE_Int set = SANE_CAP_SOFT_SELECT | SANE_CAP_SOFT_DETECT;
  const SANE_Int sensor = SANE_CAP_SOFT_DETECT | SANE_CAP_HARD_SELECT | (is("sensors") ? 0 : SANE_CAP_INACTIVE);
  int sources = 0;
  memset(&scanner, 0, sizeof scanner);
  if (is("flatbed")) scanner.sources[sources++] = "Flatbed";
  if (is("feeder")) scanner.sources[sources++] = "ADF Front";
  if (is("duplex-source")) scanner.sources[sources++] = "ADF Duplex";
  describe(COUNT, "", SANE_TYPE_INT, SANE_UNIT_NONE, SANE_CAP_SOFT_DETECT);
  scanner.numbers[COUNT] = OPTIONS;
  describe(SOURCE, SANE_NAME_SCAN_SOURCE, SANE_TYPE_STRING, SANE_UNIT_NONE, set);
  choose(SOURCE, scanner.sources);
  describe(MODE, SANE_NAME_SCAN_MODE, SANE_TYPE_STRING, SANE_UNIT_NONE, set);
  choose(MODE, modes);
  describe(RESOLUTION, SANE_NAME_SCAN_RESOLUTION, SANE_TYPE_INT, SANE_UNIT_DPI, set);
  scanner.options[RESOLUTION].constraint_type = SANE_CONSTRAINT_WORD_LIST;
  scanner.options[RESOLUTION].constraint.word_list = resolutions;
  scanner.numbers[RESOLUTION] = 75;
  describe(PREPICK, "prepick", SANE_TYPE_STRING, SANE_UNIT_NONE, set);
  choose(PREPICK, picks);
  describe(DUPLEX, "duplex", SANE_TYPE_BOOL, SANE_UNIT_NONE, set | SANE_CAP_INACTIVE);
  corner(LEFT, SANE_NAME_SCAN_TL_X, &across, 0);
  corner(TOP, SANE_NAME_SCAN_TL_Y, &down, 0);
  corner(RIGHT, SANE_NAME_SCAN_BR_X, &across, across.max);
  corner(BOTTOM, SANE_NAME_SCAN_BR_Y, &down, down.max);
  describe(PAGE_LOADED, SANE_NAME_PAGE_LOADED, SANE_TYPE_BOOL, SANE_UNIT_NONE, sensor);
  describe(COVER_OPEN, SANE_NAME_COVER_OPEN, SANE_TYPE_BOOL, SANE_UNIT_NONE, sensor);
  describe(DOUBLE_FEED, "double-feed", SANE_TYPE_BOOL, SANE_UNIT_NONE, sensor);
}

static bool from_feeder(void) { return strncmp(scanner.words[SOURCE], "ADF", 3) == 0; }

static bool both_sides(void) { return from_feeder() && (strstr(scanner.words[SOURCE], "Duplex") != NULL || scanner.numbers[DUPLEX]); }

SANE_Status sane_platen_init(SANE_Int *version, SANE_Auth_Callback authorize) {
  const char *config = getenv("SANE_CONFIG_DIR");
  (void)authorize;
  if (version != NULL) *version = SANE_VERSION_CODE(1, 0, 0);
  snprintf(body, sizeof body, "%s/body", config == NULL ? "." : config);
  return SANE_STATUS_GOOD;
}

void sane_platen_exit(void) {}

SANE_Status sane_platen_get_devices(const SANE_Device ***list, SANE_Bool local_only) {
  static const SANE_Device *devices[] = {&device, NULL};
  (void)local_only;
  *list = devices;
  return SANE_STATUS_GOOD;
}

SANE_Status sane_platen_open(SANE_String_Const name, SANE_Handle *handle) {
  if (strcmp(name, device.name) != 0) return SANE_STATUS_INVAL;
  if (scanner.open) return SANE_STATUS_DEVICE_BUSY;
  build();
  find_fault(0);
  if (scanner.fault[0] != 0) return status_of(scanner.fault);
  scanner.open = true;
  *handle = &scanner;
  return SANE_STATUS_GOOD;
}

void sane_platen_close(SANE_Handle handle) { ((struct scanner *)handle)->open = false; }

const SANE_Option_Descriptor *sane_platen_get_option_descriptor(SANE_Handle handle, SANE_Int at) {
  (void)handle;
  return at >= 0 && at < OPTIONS ? &scanner.options[at] : NULL;
}

static void read_sensor(SANE_Int at) {
  char path[PATH + 512];
  FILE *fault = at == COVER_OPEN ? file("cover-is-open") : NULL;
  if (at == PAGE_LOADED) scanner.numbers[at] = first_sheet(path, sizeof path);
  if (at == COVER_OPEN) scanner.numbers[at] = fault != NULL;
  if (at == DOUBLE_FEED) scanner.numbers[at] = scanner.double_feed;
  if (fault != NULL) fclose(fault);
}

SANE_Status sane_platen_control_option(SANE_Handle handle, SANE_Int at, SANE_Action action, void *value, SANE_Int *info) {
  (void)handle;
  if (at < 0 || at >= OPTIONS || (scanner.options[at].cap & SANE_CAP_INACTIVE) || scanner.scanning) return SANE_STATUS_INVAL;
  bool text = scanner.options[at].type == SANE_TYPE_STRING;
  if (action == SANE_ACTION_GET_VALUE) {
    read_sensor(at);
    if (text) strcpy(value, scanner.words[at]);
    else *(SANE_Word *)value = scanner.numbers[at];
    return SANE_STATUS_GOOD;
  }
  if (action != SANE_ACTION_SET_VALUE || !(scanner.options[at].cap & SANE_CAP_SOFT_SELECT)) return SANE_STATUS_INVAL;
  if (text) snprintf(scanner.words[at], WORD, "%s", (const char *)value);
  else scanner.numbers[at] = *(SANE_Word *)value;
  if (at == SOURCE && is("duplex-option")) {
    scanner.options[DUPLEX].cap &= ~SANE_CAP_INACTIVE;
    if (!from_feeder()) scanner.options[DUPLEX].cap |= SANE_CAP_INACTIVE;
    if (info != NULL) *info = SANE_INFO_RELOAD_OPTIONS | SANE_INFO_RELOAD_PARAMS;
  } else if (info != NULL) {
    *info = SANE_INFO_RELOAD_PARAMS;
  }
  return SANE_STATUS_GOOD;
}

SANE_Status sane_platen_get_parameters(SANE_Handle handle, SANE_Parameters *of) {
  double inch = scanner.numbers[RESOLUTION] / 25.4;
  (void)handle;
  of->pixels_per_line = (SANE_Int)(SANE_UNFIX(scanner.numbers[RIGHT] - scanner.numbers[LEFT]) * inch);
  of->lines = (SANE_Int)(SANE_UNFIX(scanner.numbers[BOTTOM] - scanner.numbers[TOP]) * inch);
  of->depth = strcmp(scanner.words[MODE], SANE_VALUE_SCAN_MODE_LINEART) == 0 ? 1 : 8;
  of->format = strcmp(scanner.words[MODE], SANE_VALUE_SCAN_MODE_COLOR) == 0 ? SANE_FRAME_RGB : SANE_FRAME_GRAY;
  of->last_frame = SANE_TRUE;
  of->bytes_per_line = of->depth == 1 ? (of->pixels_per_line + 7) / 8 : of->pixels_per_line * (of->format == SANE_FRAME_RGB ? 3 : 1);
  return SANE_STATUS_GOOD;
}

/* A sheet is fed with its front; its back comes from the same feed. With "prepick" the next one is taken as well. */
static SANE_Status feed(void) {
  scanner.front_was_scanned = both_sides() && !scanner.front_was_scanned;
  if (both_sides() && !scanner.front_was_scanned) return SANE_STATUS_GOOD;
  find_fault(++scanner.sheet);
  static const char *const before[] = {"NO_DOCS", "DEVICE_BUSY", "COVER_OPEN", "INVAL", "UNSUPPORTED", "CANCELLED"};
  for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
    if (strcmp(scanner.fault, before[i]) == 0) return status_of(scanner.fault);
  }
  if (!from_feeder()) return SANE_STATUS_GOOD;
  if (scanner.in_path > 0) scanner.in_path--;
  else if (!take_sheet()) return SANE_STATUS_NO_DOCS;
  if (strcmp(scanner.words[PREPICK], "On") == 0 && take_sheet()) scanner.in_path++;
  return SANE_STATUS_GOOD;
}

SANE_Status sane_platen_start(SANE_Handle handle) {
  SANE_Parameters page;
  scanner.cancelled = false;
  scanner.double_feed = false;
  SANE_Status status = feed();
  if (status != SANE_STATUS_GOOD) {
    scanner.front_was_scanned = false;
    return status;
  }
  sane_platen_get_parameters(handle, &page);
  scanner.end = page.bytes_per_line * page.lines;
  scanner.sent = 0;
  scanner.scanning = true;
  return SANE_STATUS_GOOD;
}

/* What strikes when half of the page is through. */
static SANE_Status strike(void) {
  if (strcmp(scanner.fault, "CRASH") == 0) raise(SIGSEGV);
  while (strcmp(scanner.fault, "DEAF") == 0) pause();
  while (strcmp(scanner.fault, "STUCK") == 0 && !scanner.cancelled) usleep(1000);
  if (strcmp(scanner.fault, "STUCK") == 0) return SANE_STATUS_CANCELLED;
  scanner.double_feed = strcmp(scanner.fault, "DOUBLE_FEED") == 0;
  return status_of(scanner.fault);
}

SANE_Status sane_platen_read(SANE_Handle handle, SANE_Byte *data, SANE_Int most, SANE_Int *length) {
  (void)handle;
  *length = 0;
  if (scanner.cancelled) return SANE_STATUS_CANCELLED;
  bool struck = scanner.fault[0] != 0;
  SANE_Status status = struck && scanner.sent >= scanner.end / 2 ? strike() : SANE_STATUS_GOOD;
  int left = (struck ? scanner.end / 2 : scanner.end) - scanner.sent;
  if (status == SANE_STATUS_GOOD && left <= 0) status = SANE_STATUS_EOF;
  if (status != SANE_STATUS_GOOD) {
    scanner.scanning = false;
    return status;
  }
  *length = left < most ? left : most;
  memset(data, 0x40 + 8 * scanner.sheet + (both_sides() && !scanner.front_was_scanned), (size_t)*length);
  scanner.sent += *length;
  return SANE_STATUS_GOOD;
}

void sane_platen_cancel(SANE_Handle handle) {
  (void)handle;
  scanner.cancelled = true;
  scanner.scanning = false;
  scanner.front_was_scanned = false;
  scanner.sheet = 0;
}

SANE_Status sane_platen_set_io_mode(SANE_Handle handle, SANE_Bool non_blocking) {
  (void)handle;
  return non_blocking ? SANE_STATUS_UNSUPPORTED : SANE_STATUS_GOOD;
}

SANE_Status sane_platen_get_select_fd(SANE_Handle handle, SANE_Int *fd) {
  (void)handle;
  (void)fd;
  return SANE_STATUS_UNSUPPORTED;
}
