/*
 * A simulated SDK, for tests and for a first scan. The folder that ACME_SIMULATION names has a folder for each scanner, which
 * src/simulation.ts writes:
 *   sheets     the sheets in its feeder
 *   refill     the sheets that somebody puts in when it is empty
 *   fault      "SHEET WORD": at this sheet of a scan, a status of the SDK, or HANG, TORN or CRASH
 *   unplugged  is there while the scanner is not connected
 * Without ACME_SIMULATION there is one scanner, whose feeder is filled again when it is empty.
 */
#ifndef _WIN32
#define _GNU_SOURCE
#endif
#include "acme_sdk.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <share.h>
#include <windows.h>
static void rest(void) { Sleep(20); }
#else
#include <dirent.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>
static void rest(void) { struct timespec time = {0, 20 * 1000 * 1000}; nanosleep(&time, NULL); }
#endif

#define BUILT_IN "1"
#define BUILT_IN_SHEETS 3

struct acme_device {
  char id[64], name[400];
  FILE *lock;
  int sheet, has_back, left, row, torn; /* of the scan: sheets fed; of the page: rows to come and rows delivered */
  int own_sheets; /* without ACME_SIMULATION */
  acme_page page;
  volatile int cancelled;
};

static const char *const names[] = {"ACME_OK", "ACME_END", "ACME_NO_PAPER", "ACME_JAM", "ACME_DOUBLE_FEED", "ACME_COVER_OPEN",
  "ACME_OFFLINE", "ACME_BUSY", "ACME_NOT_FOUND", "ACME_CANCELLED", "ACME_INVALID", "ACME_BROKEN"};
static const acme_option options[] = {{"beep", "Beep after a scan", ACME_BOOLEAN, 0, 1, 0}, {"lamp", "Brightness of the lamp", ACME_INTEGER, 1, 10, 5}};

const char *acme_name_of(acme_status status) { return names[status]; }

/* ---- the scanners' folders ---- */

static const char *root(void) { return getenv("ACME_SIMULATION"); }

static FILE *file_of(const char *id, const char *name, const char *how) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s/%s", root(), id, name);
  return fopen(path, how);
}

static int has(const char *id, const char *name) {
  FILE *file = file_of(id, name, "r");
  if (file) fclose(file);
  return file != NULL;
}

static int is_there(const char *id) {
  if (!root()) return strcmp(id, BUILT_IN) == 0;
  return id[0] && !strpbrk(id, "/\\.") && strlen(id) < sizeof ((acme_info *)0)->id && has(id, "sheets") && !has(id, "unplugged");
}

static int number_in(const char *id, const char *name) {
  int number = 0;
  FILE *file = file_of(id, name, "r");
  if (!file) return 0;
  if (fscanf(file, "%d", &number) != 1) number = 0;
  fclose(file);
  return number;
}

static int sheets_of(acme_device *device) { return root() ? number_in(device->id, "sheets") : device->own_sheets; }

static void set_sheets(acme_device *device, int sheets) {
  FILE *file = root() ? file_of(device->id, "sheets", "r+") : NULL; /* never empty for who reads it meanwhile */
  device->own_sheets = sheets;
  if (!file) return;
  fprintf(file, "%-8d", sheets);
  fclose(file);
}

/* The fault of this sheet, or "". */
static const char *fault_of(acme_device *device, int sheet) {
  static char word[32];
  int at = 0;
  FILE *file = root() ? file_of(device->id, "fault", "r") : NULL;
  if (!file) return "";
  if (fscanf(file, "%d %31s", &at, word) != 2 || at != sheet) word[0] = 0;
  fclose(file);
  return word;
}

static FILE *lock_of(const char *id) {
#ifdef _WIN32
  char path[1024];
  snprintf(path, sizeof path, "%s/%s/lock", root(), id);
  return _fsopen(path, "w", _SH_DENYRW);
#else
  FILE *file = file_of(id, "lock", "w");
  if (file && flock(fileno(file), LOCK_EX | LOCK_NB) == 0) return file;
  if (file) fclose(file);
  return NULL;
#endif
}

/* ---- the SDK ---- */

static void name_of(const char *id, char name[400]) { snprintf(name, 400, "Acme F100 %.60s", id); }

static void add(acme_info *infos, int room, int *count, const char *id) {
  if (*count >= room || !is_there(id)) return;
  snprintf(infos[*count].id, sizeof infos->id, "%.63s", id);
  name_of(id, infos[*count].name);
  ++*count;
}

acme_status acme_list(acme_info *infos, int room, int *count) {
  *count = 0;
  if (!root()) { add(infos, room, count, BUILT_IN); return ACME_OK; }
#ifdef _WIN32
  char pattern[1024];
  WIN32_FIND_DATAA each;
  HANDLE find;
  snprintf(pattern, sizeof pattern, "%s/*", root());
  find = FindFirstFileA(pattern, &each);
  if (find == INVALID_HANDLE_VALUE) return ACME_OK;
  do add(infos, room, count, each.cFileName); while (FindNextFileA(find, &each));
  FindClose(find);
#else
  DIR *folder = opendir(root());
  struct dirent *each;
  while (folder && (each = readdir(folder))) add(infos, room, count, each->d_name);
  if (folder) closedir(folder);
#endif
  return ACME_OK;
}

acme_status acme_open(const char *id, acme_device **device) {
  acme_device *opened;
  FILE *lock = NULL;
  *device = NULL;
  if (!is_there(id)) return ACME_NOT_FOUND;
  if (root() && !(lock = lock_of(id))) return ACME_BUSY;
  opened = (acme_device *)calloc(1, sizeof *opened);
  if (!opened) { if (lock) fclose(lock); return ACME_BROKEN; }
  snprintf(opened->id, sizeof opened->id, "%.63s", id);
  name_of(id, opened->name);
  opened->lock = lock;
  opened->own_sheets = BUILT_IN_SHEETS;
  *device = opened;
  return ACME_OK;
}

void acme_close(acme_device *device) {
  if (device->lock) fclose(device->lock);
  free(device);
}

const char *acme_device_name(acme_device *device) { return device->name; }

const acme_option *acme_options(acme_device *device, int *count) {
  (void)device;
  *count = sizeof options / sizeof options[0];
  return options;
}

acme_status acme_set(acme_device *device, const char *option, int value) {
  size_t i;
  if (!is_there(device->id)) return ACME_OFFLINE;
  for (i = 0; i < sizeof options / sizeof options[0]; i++)
    if (strcmp(options[i].name, option) == 0) return value < options[i].minimum || value > options[i].maximum ? ACME_INVALID : ACME_OK;
  return ACME_INVALID;
}

acme_status acme_paper(acme_device *device, int *loaded) {
  *loaded = 0;
  if (!is_there(device->id)) return ACME_OFFLINE;
  *loaded = sheets_of(device) > 0;
  return ACME_OK;
}

void acme_cancel(acme_device *device) { device->cancelled = 1; }

void acme_end(acme_device *device) { device->sheet = device->has_back = device->left = device->cancelled = 0; }

static acme_status ended(acme_device *device, acme_status status) {
  acme_end(device);
  return status;
}

static acme_status feed_sheet(acme_device *device, int flatbed) {
  int i, sheets = sheets_of(device);
  const char *word;
  if (!flatbed && sheets == 0) {
    set_sheets(device, root() ? number_in(device->id, "refill") : BUILT_IN_SHEETS);
    return ended(device, ACME_NO_PAPER);
  }
  word = fault_of(device, ++device->sheet);
  if (strcmp(word, "CRASH") == 0) abort();
  while (strcmp(word, "HANG") == 0) rest(); /* it does not even hear acme_cancel */
  for (i = 0; i <= ACME_BROKEN; i++) if (strcmp(word, names[i]) == 0) return ended(device, (acme_status)i);
  device->torn = strcmp(word, "TORN") == 0;
  if (!flatbed) set_sheets(device, sheets - 1);
  return ACME_OK;
}

acme_status acme_feed(acme_device *device, const acme_settings *settings, acme_page *page) {
  acme_status fed;
  if (!is_there(device->id)) return ended(device, ACME_OFFLINE);
  if (settings->width < 1 || settings->height < 1 || settings->width > 20000 || settings->height > 40000) return ended(device, ACME_INVALID);
  if (device->cancelled) return ended(device, ACME_CANCELLED);
  if (device->has_back && settings->duplex) device->has_back = 0, device->page.back = 1;
  else {
    if ((fed = feed_sheet(device, settings->flatbed)) != ACME_OK) return fed;
    device->page.back = 0;
    device->has_back = settings->duplex && !settings->flatbed;
  }
  device->page.mode = settings->mode;
  device->page.width = settings->width;
  device->page.height = settings->height;
  device->page.stride = settings->mode == ACME_COLOR ? settings->width * 3 : settings->mode == ACME_GRAY ? settings->width : (settings->width + 7) / 8;
  device->left = device->torn ? settings->height / 2 : settings->height;
  device->row = 0;
  *page = device->page;
  return ACME_OK;
}

acme_status acme_read(acme_device *device, unsigned char *rows, size_t room, size_t *length) {
  size_t stride = (size_t)device->page.stride;
  int i, most = stride ? (int)(room / stride) : 0;
  *length = 0;
  if (!is_there(device->id)) return ended(device, ACME_OFFLINE);
  if (device->cancelled) return ended(device, ACME_CANCELLED);
  if (device->left == 0) return ACME_END;
  if (most == 0) return ACME_INVALID;
  if (most > device->left) most = device->left;
  /* Stripes, 40 rows high; white is 0 in black and white, otherwise 255. */
  for (i = 0; i < most; i++, device->row++)
    memset(rows + (size_t)i * stride, (device->row / 40 % 2 == 0) == (device->page.mode == ACME_BLACK_AND_WHITE) ? 0 : 255, stride);
  device->left -= most;
  *length = (size_t)most * stride;
  return ACME_OK;
}
