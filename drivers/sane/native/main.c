/*
 * platen-sane-helper: libsane behind the frames of @platen/driver-kit. VERBS.md describes the verbs; the policy is in TypeScript.
 *
 * Verbs run one at a time on the first thread; `cancel` is taken at once, on a separate thread.
 * Three-pass scanners: `merge` in place of `read` reads all three passes and sends them as rgb (merge.c).
 */
#define _GNU_SOURCE /* fopencookie */

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <time.h>

#include "platen_helper.h"
#include "verbs.h"

typedef struct platen_request platen_asked;

static const char *status_name(SANE_Status status, char *room, size_t size) {
  /* No released sane.h has the last two, but newer backends return them. */
  static const char *const names[] = {
      "GOOD",    "UNSUPPORTED", "CANCELLED", "DEVICE_BUSY", "INVAL",         "EOF",        "JAMMED",
      "NO_DOCS", "COVER_OPEN",  "IO_ERROR",  "NO_MEM",      "ACCESS_DENIED", "WARMING_UP", "HW_LOCKED",
  };
  if ((unsigned)status < sizeof names / sizeof *names) return names[status];
  snprintf(room, size, "STATUS_%d", (int)status);
  return room;
}

void fail(struct answer *answer, SANE_Status status, const char *doing, ...) {
  char what[384], room[24];
  va_list values;
  va_start(values, doing);
  vsnprintf(what, sizeof what, doing, values);
  va_end(values);
  snprintf(answer->status, sizeof answer->status, "%s", status_name(status, room, sizeof room));
  snprintf(answer->message, sizeof answer->message, "%.100s (%s)", sane.strstatus(status), what);
}

void refuse(struct answer *answer, const char *why, ...) {
  va_list values;
  va_start(values, why);
  vsnprintf(answer->message, sizeof answer->message, why, values);
  va_end(values);
  snprintf(answer->status, sizeof answer->status, "BAD_REQUEST");
}

/* ---- arguments ---- */

static const platen_value *argument(const platen_asked *request, const char *name) {
  const platen_value *value = platen_find(request->args, request->count, name);
  return value == NULL || value->type == PLATEN_NULL ? NULL : value;
}

bool has_argument(const platen_asked *request, const char *name) { return argument(request, name) != NULL; }

const char *string_argument(const platen_asked *request, const char *name, struct answer *answer) {
  const platen_value *value = argument(request, name);
  if (value != NULL && value->type == PLATEN_STRING) return value->string;
  refuse(answer, "\"%s\" must be a string", name);
  return NULL;
}

bool number_argument(const platen_asked *request, const char *name, double *number, bool required, struct answer *answer) {
  const platen_value *value = argument(request, name);
  if (value == NULL && !required) return true;
  if (value == NULL || value->type != PLATEN_NUMBER) return refuse(answer, "\"%s\" must be a number", name), false;
  *number = value->number;
  return true;
}

bool bool_argument(const platen_asked *request, const char *name, bool *given, bool required, struct answer *answer) {
  const platen_value *value = argument(request, name);
  if (value == NULL && !required) return true;
  if (value == NULL || value->type != PLATEN_BOOL) return refuse(answer, "\"%s\" must be true or false", name), false;
  *given = value->number != 0;
  return true;
}

bool same_text(const char *theirs, const char *ours) {
  platen_json one = {0}, other = {0};
  platen_json_quote(&one, theirs);
  platen_json_quote(&other, ours);
  bool same = one.length == other.length && memcmp(one.text, other.text, one.length) == 0;
  platen_json_free(&one);
  platen_json_free(&other);
  return same;
}

/* ---- cancelling ---- */

/*
 * SANE lets a program call sane_cancel at any moment, and backends are not made for a call beside their own sane_read: one
 * that both calls find at the end of its page ends its reader twice, and waits for it forever (SANE's test backend: once
 * in some hundred pages). So the first thread cancels, between two calls; only if it does not come back from a
 * backend, another one does.
 */
enum { PATIENCE_MS = 300 };

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned;
/* Of the verb that the first thread runs; infinite between two verbs. */
static double running = INFINITY;
/* The last start that it began. */
static double last_start = -INFINITY;

/* Request ids increase: all smaller ones were sent before the last cancel. */
static _Atomic double cancelled_below = -INFINITY;

bool is_cancelled(const platen_asked *request) { return request->id < cancelled_below; }

static void prepare_turns(void) {
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&turned, &monotonic);
  pthread_condattr_destroy(&monotonic);
}

static struct timespec after(int ms) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += ms * 1000000L;
  until.tv_sec += until.tv_nsec / 1000000000L;
  until.tv_nsec %= 1000000000L;
  return until;
}

/* Ends what was asked before this id. Does nothing if a scan that was asked later has begun: sane_cancel would end that one. */
static void cancel_before(double id) {
  struct timespec until = after(PATIENCE_MS);
  pthread_mutex_lock(&turn);
  cancelled_below = id;
  if (last_start > id) {
    pthread_mutex_unlock(&turn);
    return;
  }
  double asked = running;
  bool is_idle = !(asked < id);
  int waited = 0;
  while (!is_idle && running == asked && waited == 0) waited = pthread_cond_timedwait(&turned, &turn, &until);
  bool is_done = !is_idle && running != asked; /* the first thread has cancelled */
  if (is_idle) device_cancel(); /* no verb begins meanwhile */
  pthread_mutex_unlock(&turn);
  if (!is_idle && !is_done) device_cancel();
}

static void cancel(const platen_asked *request) {
  cancel_before(request->id);
  platen_ok(request);
}

static void leaving(void) { cancel_before(INFINITY); }

/* @return whether the request was cancelled before its verb began */
static bool begin_turn(const platen_asked *request) {
  pthread_mutex_lock(&turn);
  running = request->id;
  if (strcmp(request->verb, "start") == 0) last_start = request->id;
  bool was_cancelled = is_cancelled(request);
  pthread_mutex_unlock(&turn);
  return was_cancelled;
}

/*
 * Before the answer is sent: who reads it may cancel at once, and that cancel must find either a verb that ends it here,
 * or none that runs.
 */
static void end_turn(const platen_asked *request, bool was_cancelled) {
  pthread_mutex_lock(&turn);
  if (!was_cancelled && is_cancelled(request)) {
    pthread_mutex_unlock(&turn); /* sane_cancel may not come back */
    device_cancel();
    pthread_mutex_lock(&turn);
  }
  running = INFINITY;
  pthread_cond_broadcast(&turned);
  pthread_mutex_unlock(&turn);
}

/* ---- verbs ---- */

enum needs { NOTHING, LIBRARY, DEVICE };
static const struct {
  const char *name;
  verb *run;
  enum needs needs;
} table[] = {
    {"init", verb_init, NOTHING},   {"devices", verb_devices, LIBRARY}, {"open", verb_open, LIBRARY},
    {"options", verb_options, DEVICE}, {"get", verb_get, DEVICE},       {"set", verb_set, DEVICE},
    {"setAuto", verb_set_auto, DEVICE}, {"start", verb_start, DEVICE},  {"parameters", verb_parameters, DEVICE},
    {"read", verb_read, DEVICE},    {"merge", verb_merge, DEVICE},      {"close", verb_close, NOTHING},
};
enum { VERBS = sizeof table / sizeof *table };

void send_more(const platen_asked *request, int pass, const void *data, size_t length) {
  platen_json header = {0};
  platen_begin(&header, request, 1);
  if (pass > 0) platen_json_number(&header, "pass", pass);
  platen_send(&header, data, length);
}

static void run(const platen_asked *request) {
  struct answer answer = {0};
  size_t i = 0;
  bool was_cancelled = begin_turn(request);
  platen_json_open(&answer.fields, NULL, '{'); /* a separate object until it is added to the header */
  while (strcmp(table[i].name, request->verb) != 0) i++; /* platen_serve found it in the list made from this table */
  if (table[i].needs != NOTHING && !is_initialised()) refuse(&answer, "%s needs the library: init first", request->verb);
  else if (table[i].needs == DEVICE && !is_open()) refuse(&answer, "%s needs a device: open one first", request->verb);
  else table[i].run(request, &answer);
  end_turn(request, was_cancelled);
  if (answer.status[0] != 0) {
    platen_error(request, answer.status, answer.message);
  } else {
    platen_json header = {0};
    size_t sent = 0;
    for (; answer.data.length - sent > PLATEN_BAND; sent += PLATEN_BAND) send_more(request, 0, answer.data.text + sent, PLATEN_BAND);
    platen_begin(&header, request, 0);
    if (answer.fields.length > 1) {
      platen_json_raw(&header, ",", 1);
      platen_json_raw(&header, answer.fields.text + 1, answer.fields.length - 1);
    }
    platen_send(&header, answer.data.length == 0 ? NULL : answer.data.text + sent, answer.data.length - sent);
  }
  platen_json_free(&answer.fields);
  platen_json_free(&answer.data);
}

/* ---- output of backends ---- */

#ifdef __GLIBC__
static ssize_t print(void *cookie, const char *text, size_t length) {
  (void)cookie;
  return write(2, text, length);
}
#endif

/*
 * SANE's debug messages go to syslog if stderr is a socket, as Node makes it. A custom stream has no descriptor
 * that SANE could check, and its output goes to the same place.
 */
static void keep_messages(void) {
#ifdef __GLIBC__
  FILE *stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = print});
  if (stream != NULL) stderr = stream;
#endif
  setvbuf(stderr, NULL, _IOLBF, 0);
  setvbuf(stdout, NULL, _IOLBF, 0);
}

/* The dynamic linker's own exit code for a library that it does not find. */
enum { NO_LIBRARY = 127 };

int main(void) {
  platen_verb verbs[VERBS + 1] = {{"cancel", cancel, 1}};
  for (size_t i = 0; i < VERBS; i++) verbs[i + 1] = (platen_verb){table[i].name, run, 0};
  if (!load_library()) return NO_LIBRARY; /* before the hello: without libsane this is not a helper */
  platen_start("sane", NULL);
  keep_messages();
  prepare_turns();
  platen_serve(verbs, VERBS + 1, leaving);
  device_exit();
  return 0;
}
