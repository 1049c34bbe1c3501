/* The option descriptors of a scanner, according to its folder. */
#ifndef PLATEN_SIMULATION_OPTIONS_H
#define PLATEN_SIMULATION_OPTIONS_H

#include "body.h"

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

static void level(enum option at, const char *name, SANE_Value_Type type, SANE_Unit unit, const SANE_Range *range, SANE_Word value) {
  describe(at, name, type, unit, SANE_CAP_SOFT_SELECT | SANE_CAP_SOFT_DETECT | SANE_CAP_ADVANCED | (is("levels") ? 0 : SANE_CAP_INACTIVE));
  scanner.options[at].constraint_type = SANE_CONSTRAINT_RANGE;
  scanner.options[at].constraint.range = range;
  scanner.numbers[at] = value;
}

static bool is_lineart(void) { return strcmp(scanner.words[MODE], SANE_VALUE_SCAN_MODE_LINEART) == 0; }

/* As many backends do: the threshold exists in Lineart, the dropout colour elsewhere. */
static void follow_mode(void) {
  scanner.options[THRESHOLD].cap &= ~SANE_CAP_INACTIVE;
  scanner.options[DROPOUT].cap &= ~SANE_CAP_INACTIVE;
  if (!is("levels") || !is_lineart()) scanner.options[THRESHOLD].cap |= SANE_CAP_INACTIVE;
  if (!is("levels") || is_lineart()) scanner.options[DROPOUT].cap |= SANE_CAP_INACTIVE;
}

static void build(void) {
  const SANE_Int set = SANE_CAP_SOFT_SELECT | SANE_CAP_SOFT_DETECT;
  const SANE_Int sensor = SANE_CAP_SOFT_DETECT | SANE_CAP_HARD_SELECT | (is("sensors") ? 0 : SANE_CAP_INACTIVE);
  int sources = 0;
  double found[RESOLUTIONS] = {75, 150, 300, 600}, area[2] = {216, 360}, side_ms = 0;
  memset(&scanner, 0, sizeof scanner);
  int count = numbers_in("resolutions", found, RESOLUTIONS);
  scanner.resolutions[0] = count > 0 ? count : 4;
  for (int i = 0; i < scanner.resolutions[0]; i++) scanner.resolutions[i + 1] = (SANE_Word)found[i];
  numbers_in("area", area, 2);
  scanner.across.max = SANE_FIX(area[0]);
  scanner.down.max = SANE_FIX(area[1]);
  numbers_in("side-ms", &side_ms, 1);
  scanner.side_ms = (int)side_ms;
  if (is("flatbed")) scanner.sources[sources++] = "Flatbed";
  if (is("feeder")) scanner.sources[sources++] = "ADF Front";
  if (is("duplex-source")) scanner.sources[sources++] = "ADF Duplex";
  describe(COUNT, "", SANE_TYPE_INT, SANE_UNIT_NONE, SANE_CAP_SOFT_DETECT);
  scanner.numbers[COUNT] = OPTIONS;
  describe(SOURCE, SANE_NAME_SCAN_SOURCE, SANE_TYPE_STRING, SANE_UNIT_NONE, set);
  choose(SOURCE, scanner.sources);
  describe(MODE, SANE_NAME_SCAN_MODE, SANE_TYPE_STRING, SANE_UNIT_NONE, set);
  choose(MODE, is("grey") ? grey_only : modes);
  describe(RESOLUTION, SANE_NAME_SCAN_RESOLUTION, SANE_TYPE_INT, SANE_UNIT_DPI, set);
  scanner.options[RESOLUTION].constraint_type = SANE_CONSTRAINT_WORD_LIST;
  scanner.options[RESOLUTION].constraint.word_list = scanner.resolutions;
  scanner.numbers[RESOLUTION] = scanner.resolutions[1];
  describe(PREPICK, "prepick", SANE_TYPE_STRING, SANE_UNIT_NONE, set);
  choose(PREPICK, picks);
  describe(DUPLEX, "duplex", SANE_TYPE_BOOL, SANE_UNIT_NONE, set | SANE_CAP_INACTIVE);
  corner(LEFT, SANE_NAME_SCAN_TL_X, &scanner.across, 0);
  corner(TOP, SANE_NAME_SCAN_TL_Y, &scanner.down, 0);
  corner(RIGHT, SANE_NAME_SCAN_BR_X, &scanner.across, scanner.across.max);
  corner(BOTTOM, SANE_NAME_SCAN_BR_Y, &scanner.down, scanner.down.max);
  level(BRIGHTNESS, SANE_NAME_BRIGHTNESS, SANE_TYPE_INT, SANE_UNIT_NONE, &levels, 0);
  level(CONTRAST, SANE_NAME_CONTRAST, SANE_TYPE_INT, SANE_UNIT_NONE, &levels, 0);
  level(THRESHOLD, SANE_NAME_THRESHOLD, SANE_TYPE_FIXED, SANE_UNIT_PERCENT, &percent, SANE_FIX(50));
  describe(DROPOUT, "dropout-color", SANE_TYPE_STRING, SANE_UNIT_NONE, set);
  choose(DROPOUT, dropouts);
  follow_mode();
  describe(PAGE_LOADED, SANE_NAME_PAGE_LOADED, SANE_TYPE_BOOL, SANE_UNIT_NONE, sensor);
  describe(COVER_OPEN, SANE_NAME_COVER_OPEN, SANE_TYPE_BOOL, SANE_UNIT_NONE, sensor);
  describe(DOUBLE_FEED, "double-feed", SANE_TYPE_BOOL, SANE_UNIT_NONE, sensor);
}

static bool from_feeder(void) { return strncmp(scanner.words[SOURCE], "ADF", 3) == 0; }

static bool both_sides(void) { return from_feeder() && (strstr(scanner.words[SOURCE], "Duplex") != NULL || scanner.numbers[DUPLEX]); }

#endif
