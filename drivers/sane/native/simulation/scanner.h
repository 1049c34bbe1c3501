/* The state of the open scanner, and the listed ones. */
#ifndef PLATEN_SIMULATION_SCANNER_H
#define PLATEN_SIMULATION_SCANNER_H

#include <stdbool.h>
#include "../sane_api.h"
#include "names.h"
#include "sheet.h"

enum option { COUNT, SOURCE, MODE, RESOLUTION, PREPICK, DUPLEX, LEFT, TOP, RIGHT, BOTTOM, BRIGHTNESS, CONTRAST, THRESHOLD, DROPOUT, PAGE_LOADED, COVER_OPEN, DOUBLE_FEED, OPTIONS };

enum { WORD = 32, PATH = 4096, NAME = 128, DEVICES = 32, RESOLUTIONS = 16, LINE = 64 * 1024 };

struct scanner {
  SANE_Option_Descriptor options[OPTIONS];
  SANE_Word numbers[OPTIONS];
  char words[OPTIONS][WORD];
  SANE_String_Const sources[4];
  SANE_Word resolutions[RESOLUTIONS + 1];
  SANE_Range across, down;
  bool open, front_was_scanned, scanning, double_feed;
  volatile bool cancelled;
  int sheet;    /* number in this batch */
  int in_path;  /* sheets taken from the feeder and not yet scanned */
  int end;      /* length of the page in bytes */
  int strikes_at; /* bytes before the fault in the middle of the page */
  int sent;
  char fault[WORD];
  struct sheet paper, next; /* `next` is in the path, behind `paper` */
  char sheet_path[PATH + 512];
  int side_ms;
};

static struct scanner scanner;
/* The folder of SANE's configuration, and the folder of the open scanner. */
static char config[PATH], body[PATH + NAME];
static SANE_Device devices[DEVICES];
static char names[DEVICES][3][NAME];
static const SANE_Device *list[DEVICES + 1];
static const SANE_String_Const grey_only[] = {SANE_VALUE_SCAN_MODE_GRAY, NULL};
static const SANE_String_Const modes[] = {SANE_VALUE_SCAN_MODE_LINEART, SANE_VALUE_SCAN_MODE_GRAY, SANE_VALUE_SCAN_MODE_COLOR, NULL};
static const SANE_String_Const picks[] = {"On", "Off", NULL};
static const SANE_String_Const dropouts[] = {"None", "Red", NULL};
static const SANE_Range levels = {-127, 127, 1}, percent = {0, SANE_FIX(100), SANE_FIX(0.5)};

#endif
