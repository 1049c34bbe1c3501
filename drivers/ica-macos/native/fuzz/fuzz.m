/*
 * Fuzzes platen-ica-helper, on Linux, over the simulated ImageCaptureCore: the verbs run on the main thread as on a Mac, and
 * the run loop turns until each has its answer. What a verb waits for and does not get is ended, as the driver would.
 */
#define PLATEN_FUZZ
#define main helper_main
#include "../main.m"
#undef main

#include <ftw.h>
#include <sys/stat.h>

/* The scanners' folders, as simulation/body.h describes them: what each is, and its fault. */
static const struct { const char *name, *is, *fault, *features; } bodies[] = {
    {"a", "feeder flatbed duplex sensor document threshold", "", "enumeration|MODE|Mode|How|0=Off,2=Text\nrange|X_BRIGHTNESS|B||-50,50,5,0\nboolean|Z|||1\ntemplate|T|||"},
    {"b", "feeder rgb4 grey-stride tells", "2 jam", "throws enumeration|MODE|Mode|How|0=Off"},
    {"c", "flatbed document unsolicited", "1 throw", "stuck range|X|B||-50,50,5,0"},
    {"d", "feeder features-throw", "0 unready", ""},
    {"e", "feeder only-tells empty-error", "2 torn", "colour boolean|Z|||1"},
    {"f", "flatbed feeder no-1bit", "0 unitless", ""},
    {"g", "feeder", "0 throw", ""},
};
enum { BODIES = sizeof bodies / sizeof *bodies, SHEETS = 3, TURNS = 400 };

static char root[64] = "/tmp/platen-fuzz-XXXXXX";

/* Never called with a text that is longer than its path has room. */
static void write_file(const char *body, const char *name, const char *text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s/%s", root, body, name);
  FILE *file = fopen(path, "w");
  if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) abort();
}

static int remove_one(const char *path, const struct stat *of, int kind, struct FTW *where) {
  (void)of, (void)kind, (void)where;
  return remove(path);
}

static void remove_root(void) { nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS); }

static void make_bodies(void) {
  char path[256];
  for (int i = 0; i < BODIES; i++) {
    snprintf(path, sizeof path, "%s/%s", root, bodies[i].name);
    if (mkdir(path, 0700) != 0) abort();
    strcat(path, "/feeder");
    if (mkdir(path, 0700) != 0) abort();
    write_file(bodies[i].name, "is", bodies[i].is);
    write_file(bodies[i].name, "fault", bodies[i].fault);
    write_file(bodies[i].name, "features", bodies[i].features);
    write_file(bodies[i].name, "area", "20 30");
    write_file(bodies[i].name, "resolutions", "75 100-120");
    for (int sheet = 0; sheet < SHEETS; sheet++) write_file(bodies[i].name, (const char *[]){"feeder/1", "feeder/2", "feeder/3"}[sheet], "");
  }
}

@interface ICDeviceBrowser (Fuzz)
- (void)look;
@end

/* ---- the verbs ---- */

static BOOL waits(double id) {
  for (int step = 0; step < STEPS; step++) if (ica->waiting[step] == id) return YES;
  return NO;
}

static void turn_until_answered(double id, int turns) {
  while (waits(id) && turns-- > 0) {
    NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
    [[NSRunLoop currentRunLoop] runMode:NSDefaultRunLoopMode beforeDate:[NSDate date]];
    [pool drain];
  }
}

static void run_one(const platen_request *request) {
  double id = request->id;
  if (id == 0) return platen_error(request, "BAD_REQUEST", "no driver counts from 0"); /* of a step, it means that nobody waits */
  NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
  [ica run:[NSValue valueWithPointer:request]];
  if (ica->waiting[EVENTS] != id) turn_until_answered(id, TURNS);
  if (ica->waiting[SCAN] == id) {
    [ica->scanner cancelScan];
    turn_until_answered(id, TURNS);
  }
  [ica->browser look]; /* its timer would need 20 ms */
  for (int step = 0; step < STEPS; step++) if (ica->waiting[step] == id) refuse(over(ica, (enum step)step), "LATE", @"the driver ended it");
  [pool drain];
}

static platen_verb verbs[VERBS];

static void begin_fuzzing(void) {
  if (mkdtemp(root) == NULL) abort();
  atexit(remove_root);
  make_bodies();
  setenv("PLATEN_ICA_SIMULATION", root, 1);
  for (size_t i = 0; i < VERBS; i++) verbs[i] = (platen_verb){table[i].name, run_one, 0};
  ica = [[Ica alloc] init];
  ica->devices = [[NSMutableDictionary alloc] init];
}

/* Closes the session, and puts back the sheets and the scanner that were taken. */
static void reset(void) {
  NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
  if (ica->scanner != nil) [ica lose];
  [ica->browser stop];
  [ica->browser release];
  ica->browser = nil;
  [ica->devices removeAllObjects];
  for (int i = 0; i < BODIES; i++)
    for (int sheet = 0; sheet < SHEETS; sheet++) write_file(bodies[i].name, (const char *[]){"feeder/1", "feeder/2", "feeder/3"}[sheet], "");
  [pool drain];
}

/* Classes and constant strings stay until the end. */
const char *__asan_default_options(void) { return "detect_leaks=0"; }

#define PLATEN_FUZZ_VERBS verbs
#define PLATEN_FUZZ_BEGIN begin_fuzzing
#define PLATEN_FUZZ_RESET reset
#include "platen_fuzz.h"
