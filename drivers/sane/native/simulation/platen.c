/*
 * A SANE backend for tests: scanners whose properties, paper and faults are files in a folder. It adds to SANE's `test` backend:
 * two sides, sensors, a feeder that can be loaded and that jams at one sheet, and code that hangs or crashes. In SANE_CONFIG_DIR `body` is
 * the scanner "0", and each folder in `bodies` is a scanner with the folder's name; a file `silent` makes discovery hang. Files in the folder (only `is` is required):
 *
 *   is             words: flatbed feeder duplex-source duplex-option sensors document (on the flatbed)
 *                  grey (the only mode) levels (brightness, contrast, threshold, and an option of its own) steps8 (lines of whole 8 pixels)
 *                  ends (a page from the feeder ends with its sheet, which only the data shows)
 *   name           the vendor's name, and on a second line the model's
 *   resolutions    "75 150 300 600"
 *   area           millimetres, "216 360"
 *   side-ms        duration of a side
 *   feeder/        each file is a sheet; feeding removes the first one. sheet.h describes its contents
 *   scanned/       if it exists, a sheet stays in the feeder until it is scanned completely, and is then moved here: a jammed sheet remains
 *   fault          "2 JAMMED" or "always JAMMED": the fault of the second sheet since the last sane_cancel, or of every sheet. LOCKED: sane_start
 *                  hangs before anything moves, and no thread can start in the process; LOCKED_ONCE: the first time only. CANCELS: it cancels
 *                  3000 readers as backends do, and continues. FROZEN: the process stops
 *                  there, even when its service ends. TORN: the data ends in the middle of a line, as if the page were complete
 *   off            if it exists, the scanner does not answer
 *   unplugged      if it exists, the scanner is not listed either
 *   hangs-open     if it exists, sane_open does not return
 *   hangs-close    if it exists, sane_close does not return
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include "lock.h"
#include "options.h"

SANE_Status sane_platen_init(SANE_Int *version, SANE_Auth_Callback authorize) {
  const char *folder = getenv("SANE_CONFIG_DIR");
  (void)authorize;
  if (version != NULL) *version = SANE_VERSION_CODE(1, 0, 0);
  snprintf(config, sizeof config, "%s", folder == NULL ? "." : folder);
  return SANE_STATUS_GOOD;
}

void sane_platen_exit(void) {}

/* Finds the folder of a scanner; false if there is none. */
static bool find_body(const char *name) {
  struct stat found;
  if (name[0] == '.' || strchr(name, '/') != NULL) return false;
  if (strcmp(name, "0") == 0) snprintf(body, sizeof body, "%s/body", config);
  else snprintf(body, sizeof body, "%.3900s/bodies/%.127s", config, name);
  return stat(body, &found) == 0 && S_ISDIR(found.st_mode) && !there("unplugged");
}

static void add_device(int at, const char *name) {
  char (*words)[NAME] = names[at];
  FILE *from = file("name");
  snprintf(words[0], NAME, "%s", name);
  if (from == NULL || fscanf(from, "%127[^\n] %127[^\n]", words[1], words[2]) != 2) {
    strcpy(words[1], "Platen");
    strcpy(words[2], "Simulated");
  }
  if (from != NULL) fclose(from);
  devices[at] = (SANE_Device){words[0], words[1], words[2], "multi-function peripheral"};
  list[at] = &devices[at];
}

SANE_Status sane_platen_get_devices(const SANE_Device ***found, SANE_Bool local_only) {
  char folder[PATH + 16];
  int count = 0;
  (void)local_only;
  snprintf(folder, sizeof folder, "%s/silent", config);
  while (access(folder, F_OK) == 0) pause();
  if (find_body("0")) add_device(count++, "0");
  snprintf(folder, sizeof folder, "%s/bodies", config);
  DIR *bodies = opendir(folder);
  for (struct dirent *each; bodies != NULL && count < DEVICES && (each = readdir(bodies)) != NULL;) {
    if (find_body(each->d_name)) add_device(count++, each->d_name);
  }
  if (bodies != NULL) closedir(bodies);
  list[count] = NULL;
  *found = list;
  return SANE_STATUS_GOOD;
}

SANE_Status sane_platen_open(SANE_String_Const name, SANE_Handle *handle) {
  if (scanner.open) return SANE_STATUS_DEVICE_BUSY;
  if (!find_body(name)) return SANE_STATUS_INVAL;
  while (there("hangs-open")) pause();
  build();
  find_fault(0);
  if (is_away()) return SANE_STATUS_IO_ERROR;
  if (scanner.fault[0] != 0) return status_of(scanner.fault);
  scanner.open = true;
  *handle = &scanner;
  return SANE_STATUS_GOOD;
}

void sane_platen_close(SANE_Handle handle) {
  while (there("hangs-close")) pause();
  ((struct scanner *)handle)->open = false;
}

const SANE_Option_Descriptor *sane_platen_get_option_descriptor(SANE_Handle handle, SANE_Int at) {
  (void)handle;
  return at >= 0 && at < OPTIONS ? &scanner.options[at] : NULL;
}

static void read_sensor(SANE_Int at) {
  char path[PATH + 512];
  if (at == PAGE_LOADED) scanner.numbers[at] = first_sheet(path, sizeof path);
  if (at == COVER_OPEN) scanner.numbers[at] = there("cover-is-open");
  if (at == DOUBLE_FEED) scanner.numbers[at] = scanner.double_feed;
}

SANE_Status sane_platen_control_option(SANE_Handle handle, SANE_Int at, SANE_Action action, void *value, SANE_Int *info) {
  (void)handle;
  if (at < 0 || at >= OPTIONS || (scanner.options[at].cap & SANE_CAP_INACTIVE) || scanner.scanning) return SANE_STATUS_INVAL;
  if (is_away()) return SANE_STATUS_IO_ERROR;
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
  } else if (at == MODE) {
    follow_mode();
    if (info != NULL) *info = SANE_INFO_RELOAD_OPTIONS | SANE_INFO_RELOAD_PARAMS;
  } else if (info != NULL) {
    *info = SANE_INFO_RELOAD_PARAMS;
  }
  return SANE_STATUS_GOOD;
}

SANE_Status sane_platen_get_parameters(SANE_Handle handle, SANE_Parameters *of) {
  double inch = scanner.numbers[RESOLUTION] / 25.4;
  (void)handle;
  /* To the nearest pixel, because a fixed-point 215.9 mm is slightly too small. */
  of->pixels_per_line = (SANE_Int)(SANE_UNFIX(scanner.numbers[RIGHT] - scanner.numbers[LEFT]) * inch + 0.501);
  if (is("steps8")) of->pixels_per_line -= of->pixels_per_line % 8;
  of->lines = (SANE_Int)(SANE_UNFIX(scanner.numbers[BOTTOM] - scanner.numbers[TOP]) * inch + 0.501);
  of->depth = strcmp(scanner.words[MODE], SANE_VALUE_SCAN_MODE_LINEART) == 0 ? 1 : 8;
  of->format = strcmp(scanner.words[MODE], SANE_VALUE_SCAN_MODE_COLOR) == 0 ? SANE_FRAME_RGB : SANE_FRAME_GRAY;
  of->last_frame = SANE_TRUE;
  of->bytes_per_line = of->depth == 1 ? (of->pixels_per_line + 7) / 8 : of->pixels_per_line * (of->format == SANE_FRAME_RGB ? 3 : 1);
  return SANE_STATUS_GOOD;
}

/* The front feeds a sheet; the back comes from the same feed. With "prepick" the next sheet is taken, too. */
static SANE_Status feed(void) {
  scanner.front_was_scanned = both_sides() && !scanner.front_was_scanned;
  if (both_sides() && !scanner.front_was_scanned) return SANE_STATUS_GOOD;
  find_fault(++scanner.sheet);
  if (strcmp(scanner.fault, "FROZEN") == 0) {
    forget_faults();
    prctl(PR_SET_PDEATHSIG, 0);
    raise(SIGSTOP);
  }
  if (strcmp(scanner.fault, "LOCKED_ONCE") == 0) forget_faults();
  if (strncmp(scanner.fault, "LOCKED", 6) == 0) lose_a_lock();
  if (strcmp(scanner.fault, "CANCELS") == 0) {
    cancel_many();
    scanner.fault[0] = 0;
  }
  static const char *const before[] = {"NO_DOCS", "DEVICE_BUSY", "COVER_OPEN", "INVAL", "UNSUPPORTED", "CANCELLED"};
  for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
    if (strcmp(scanner.fault, before[i]) == 0) return status_of(scanner.fault);
  }
  if (is_away()) return SANE_STATUS_IO_ERROR;
  scanner.paper = is("document") ? document : (struct sheet){.kind = PLAIN};
  if (!from_feeder()) return SANE_STATUS_GOOD;
  if (scanner.in_path > 0) {
    scanner.in_path--;
    scanner.paper = scanner.next;
  } else if (!take_sheet(&scanner.paper)) return SANE_STATUS_NO_DOCS;
  if (strcmp(scanner.words[PREPICK], "On") == 0 && !there("scanned") && take_sheet(&scanner.next)) scanner.in_path++;
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
  if (is("ends") && from_feeder()) {
    int most = (int)((scanner.paper.height - SANE_UNFIX(scanner.numbers[TOP])) * scanner.numbers[RESOLUTION] / 25.4);
    if (most < page.lines) page.lines = most;
  }
  scanner.end = page.bytes_per_line * page.lines;
  scanner.strikes_at = scanner.end / 2;
  if (strcmp(scanner.fault, "TORN") == 0) scanner.strikes_at += page.bytes_per_line / 2 - scanner.strikes_at % page.bytes_per_line;
  scanner.sent = 0;
  scanner.scanning = true;
  return SANE_STATUS_GOOD;
}

/* The fault in the middle of the page. */
static SANE_Status strike(void) {
  if (strcmp(scanner.fault, "CRASH") == 0) raise(SIGSEGV);
  while (strcmp(scanner.fault, "DEAF") == 0) pause();
  while (strcmp(scanner.fault, "STUCK") == 0 && !scanner.cancelled) usleep(1000);
  if (strcmp(scanner.fault, "STUCK") == 0) return SANE_STATUS_CANCELLED;
  scanner.double_feed = strcmp(scanner.fault, "DOUBLE_FEED") == 0;
  return status_of(scanner.fault);
}

static bool is_back(void) { return both_sides() && !scanner.front_was_scanned; }

/* Rows of one band are alike, from the left to the right; a document has no bands. */
enum { NO_BAND = -1 };
static int band_at(const struct sheet *sheet, double y) {
  const double *mark = sheet->mark;
  if (sheet->kind == DOCUMENT) return NO_BAND;
  return (y >= sheet->height) | (y >= mark[1] && y < mark[1] + mark[3]) << 1 | (y < sheet->height / 5) << 2;
}

/* The page's bytes from `sent` on: for a sheet with an empty file, one value that identifies the sheet and its side. */
static void render(SANE_Byte *data, int length) {
  static SANE_Byte line[LINE];
  static int drawn;
  SANE_Parameters page;
  bool whole = scanner.options[BRIGHTNESS].cap & SANE_CAP_INACTIVE;
  if (scanner.paper.kind == PLAIN && whole) {
    memset(data, 0x40 + 8 * scanner.sheet + is_back(), (size_t)length);
    return;
  }
  sane_platen_get_parameters(&scanner, &page);
  double pitch = 25.4 / scanner.numbers[RESOLUTION];
  int done = 0;
  if (scanner.sent == 0) drawn = NO_BAND;
  while (done < length) {
    int row = (scanner.sent + done) / page.bytes_per_line, from = (scanner.sent + done) % page.bytes_per_line;
    int some = page.bytes_per_line - from < length - done ? page.bytes_per_line - from : length - done;
    struct look look = {.samples = page.format == SANE_FRAME_RGB ? 3 : 1, .depth = page.depth, .pixels = page.pixels_per_line, .pitch = pitch, .left = SANE_UNFIX(scanner.numbers[LEFT])};
    look.brightness = scanner.numbers[BRIGHTNESS];
    look.contrast = scanner.numbers[CONTRAST];
    look.threshold = SANE_UNFIX(scanner.numbers[THRESHOLD]) * 2.55;
    double y = SANE_UNFIX(scanner.numbers[TOP]) + (row + 0.5) * pitch;
    int band = band_at(&scanner.paper, y);
    if (band == NO_BAND || band != drawn) draw_row(&scanner.paper, is_back(), y, &look, line);
    drawn = band;
    memcpy(data + done, line + from, (size_t)some);
    done += some;
  }
}

/* Simulates the time for the carriage, which a cancel ends. */
static void take_time(int length) {
  for (double left = (double)scanner.side_ms * length / scanner.end; left > 0 && !scanner.cancelled; left -= 5) {
    usleep((useconds_t)((left < 5 ? left : 5) * 1000));
  }
}

SANE_Status sane_platen_read(SANE_Handle handle, SANE_Byte *data, SANE_Int most, SANE_Int *length) {
  (void)handle;
  *length = 0;
  bool struck = scanner.fault[0] != 0;
  int left = (struck ? scanner.strikes_at : scanner.end) - scanner.sent;
  int some = left < most ? left : most;
  take_time(some);
  if (scanner.cancelled) return SANE_STATUS_CANCELLED;
  if (there("unplugged")) return SANE_STATUS_IO_ERROR;
  SANE_Status status = struck && scanner.sent >= scanner.strikes_at ? strike() : SANE_STATUS_GOOD;
  if (status == SANE_STATUS_GOOD && left <= 0) status = SANE_STATUS_EOF;
  if (status == SANE_STATUS_EOF && (!both_sides() || is_back())) let_out();
  if (status != SANE_STATUS_GOOD) {
    scanner.scanning = false;
    return status;
  }
  render(data, some);
  *length = some;
  scanner.sent += some;
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
