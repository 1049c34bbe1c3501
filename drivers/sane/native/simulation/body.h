/* The folder of a scanner: its properties, its sheets and its faults. */
#ifndef PLATEN_SIMULATION_BODY_H
#define PLATEN_SIMULATION_BODY_H

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "scanner.h"

static FILE *file(const char *name) {
  char path[PATH + NAME + 64];
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

static bool there(const char *name) {
  char path[PATH + NAME + 64];
  snprintf(path, sizeof path, "%s/%s", body, name);
  return access(path, F_OK) == 0;
}

static bool is_away(void) { return there("off") || there("unplugged"); }

/* Reads the numbers in a file, up to a limit. Returns how many there are. */
static int numbers_in(const char *name, double *numbers, int most) {
  int count = 0;
  FILE *from = file(name);
  if (from == NULL) return 0;
  while (count < most && fscanf(from, "%lf", &numbers[count]) == 1) count++;
  fclose(from);
  return count;
}

/* The first sheet's path; false if there is none. */
static bool first_sheet(char *path, size_t size) {
  char folder[PATH + NAME + 64], first[256] = "";
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

static bool take_sheet(struct sheet *paper) {
  if (!first_sheet(scanner.sheet_path, sizeof scanner.sheet_path)) return false;
  *paper = sheet_in(scanner.sheet_path);
  return there("scanned") || unlink(scanner.sheet_path) == 0;
}

/* Called when the whole sheet has been scanned. */
static void let_out(void) {
  char path[PATH + 512];
  if (scanner.sheet_path[0] == 0 || !there("scanned")) return;
  snprintf(path, sizeof path, "%.4096s/scanned/%.255s", body, strrchr(scanner.sheet_path, '/') + 1);
  rename(scanner.sheet_path, path);
  scanner.sheet_path[0] = 0;
}

static void find_fault(int sheet) {
  char at[WORD], fault[WORD];
  scanner.fault[0] = 0;
  FILE *from = file("fault");
  if (from == NULL) return;
  while (fscanf(from, "%31s %31s", at, fault) == 2) {
    if (strcmp(at, "always") == 0 ? sheet > 0 : atoi(at) == sheet) strcpy(scanner.fault, fault);
  }
  fclose(from);
}

static void forget_faults(void) {
  char path[PATH + NAME + 64];
  snprintf(path, sizeof path, "%s/fault", body);
  unlink(path);
}

static SANE_Status status_of(const char *fault) {
  static const char *const names[] = {"GOOD",   "UNSUPPORTED", "CANCELLED",  "DEVICE_BUSY", "INVAL",  "EOF",
                                      "JAMMED", "NO_DOCS",     "COVER_OPEN", "IO_ERROR",    "NO_MEM", "ACCESS_DENIED"};
  for (int i = 0; i < (int)(sizeof names / sizeof *names); i++) {
    if (strcmp(names[i], fault) == 0) return (SANE_Status)i;
  }
  if (strcmp(fault, "TORN") == 0) return SANE_STATUS_EOF;
  return strcmp(fault, "DOUBLE_FEED") == 0 ? SANE_STATUS_JAMMED : SANE_STATUS_GOOD;
}

#endif
