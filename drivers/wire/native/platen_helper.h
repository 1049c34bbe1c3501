/*
 * A helper of Platen: a table of verbs behind stdin and stdout.
 *
 *   static void list(const platen_request *request) {
 *     platen_json header = {0};
 *     platen_begin(&header, request, 0);
 *     platen_json_string(&header, "name", "Flatbed");
 *     platen_send(&header, NULL, 0);
 *   }
 *   static const platen_verb verbs[] = { { "list", list, 0 }, { "cancel", cancel, 1 } };
 *   int main(void) {
 *     platen_start("example", NULL);
 *     platen_serve(verbs, 2, NULL);
 *     return 0;                                      (after closing what is open)
 *   }
 *
 * Verbs run one after another on the thread that called platen_serve; urgent ones meanwhile, one after another on a thread of their
 * own; a third thread reads stdin. Each verb sends any number of frames with `more`, then exactly one without: platen_ok,
 * platen_error, or platen_begin and platen_send.
 * At the end of stdin, or when nobody reads any more, `leaving` is called once (on any thread; it should make a verb that blocks
 * return), platen_serve returns after it and the verb under way, and what has not ended after PLATEN_LEAVE_MS is ended.
 * stdout belongs to the frames: what is printed goes to stderr, and that to Platen's log. C99, or C++.
 */
#ifndef PLATEN_HELPER_H
#define PLATEN_HELPER_H

#include "platen_system.h"
#include "platen_json.h"

#define PLATEN_PROTOCOL 1
#define PLATEN_BAND (1u << 20) /* the most bytes of pixels that a frame should have */
#define PLATEN_LINE_MAX (64u * 1024)
#ifndef PLATEN_LEAVE_MS
#define PLATEN_LEAVE_MS 1500u /* less than a supervisor waits before it kills: 2000 */
#endif

typedef struct platen_request {
  double id;
  const char *verb;
  platen_value args[PLATEN_MAX_ARGS];
  size_t count;
  char *line; /* holds every string of it */
  struct platen_request *next;
} platen_request;

typedef struct {
  const char *name;
  void (*run)(const platen_request *request);
  int urgent;
} platen_verb;

typedef struct {
  platen_request *first, *last;
  platen_condition queued;
} platen_queue;

static struct {
  platen_mutex writing, queueing;
  platen_queue ordinary, urgent;
  const platen_verb *verbs;
  size_t verb_count;
  void (*leaving)(void);
  int left, told; /* the service is gone; `leaving` has returned */
  char buffer[PLATEN_LINE_MAX];
  size_t buffered;
} platen;

/* ---- leaving ---- */

static inline void platen_countdown(void) {
  platen_sleep_ms(PLATEN_LEAVE_MS);
  fputs("a verb did not end in time: leaving without it\n", stderr);
  platen_vanish(0);
}

/* Whether the service is gone: a verb that takes long should look between its bands. */
static inline int platen_left(void) {
  int left;
  platen_lock(&platen.queueing);
  left = platen.left;
  platen_unlock(&platen.queueing);
  return left;
}

static inline void platen_leave(void) {
  int before;
  platen_lock(&platen.queueing);
  before = platen.left;
  platen.left = 1;
  platen_unlock(&platen.queueing);
  if (before) return;
  if (!platen_thread(platen_countdown)) platen_vanish(0);
  if (platen.leaving) platen.leaving();
  platen_lock(&platen.queueing);
  platen.told = 1;
  platen_wake(&platen.ordinary.queued);
  platen_wake(&platen.urgent.queued);
  platen_unlock(&platen.queueing);
}

/* ---- frames ---- */

/*
 * Closes the header's object, writes the frame and frees the header. Any thread; frames are whole.
 * Returns 0 when the service is gone.
 */
static inline int platen_send(platen_json *header, const void *data, size_t length) {
  unsigned char lead[8];
  size_t sizes[2];
  int i, done;
  platen_json_close(header, '}');
  sizes[0] = header->length - 8;
  sizes[1] = length;
  for (i = 0; i < 8; i++) lead[i] = (unsigned char)(sizes[i / 4] >> (8 * (i % 4)));
  memcpy(header->text, lead, 8);
  platen_lock(&platen.writing);
  done = platen_write_all(platen_out, header->text, header->length) && (length == 0 || platen_write_all(platen_out, data, length));
  platen_unlock(&platen.writing);
  platen_json_free(header);
  if (!done) platen_leave();
  return done;
}

/* Begins a header; its place for the lengths comes first. Fields follow, then platen_send. */
static inline void platen_header(platen_json *header) {
  header->length = 0;
  platen_json_raw(header, "\0\0\0\0\0\0\0\0{", 9);
}

/* The header of an answer: with `more`, another frame of it follows. */
static inline void platen_begin(platen_json *header, const platen_request *request, int more) {
  platen_header(header);
  platen_json_number(header, "id", request->id);
  platen_json_bool(header, more ? "more" : "ok", 1);
}

static inline int platen_ok(const platen_request *request) {
  platen_json header = {0, 0, 0};
  platen_begin(&header, request, 0);
  return platen_send(&header, NULL, 0);
}

/* `status` is the vendor API's own word; what it means to Platen, the driver's TypeScript says. */
static inline int platen_error(const platen_request *request, const char *status, const char *message) {
  platen_json header = {0, 0, 0};
  platen_header(&header);
  platen_json_number(&header, "id", request->id);
  platen_json_open(&header, "error", '{');
  platen_json_string(&header, "status", status);
  platen_json_string(&header, "message", message);
  platen_json_close(&header, '}');
  return platen_send(&header, NULL, 0);
}

/* Takes stdin and stdout and says hello: the first thing that a helper does. `version` of the vendor's API, or NULL. */
static inline void platen_start(const char *name, const char *version) {
  platen_json header = {0, 0, 0};
  platen_mutex_init(&platen.writing);
  platen_mutex_init(&platen.queueing);
  platen_condition_init(&platen.ordinary.queued);
  platen_condition_init(&platen.urgent.queued);
  platen_take_streams();
  platen_header(&header);
  platen_json_open(&header, "hello", '{');
  platen_json_string(&header, "name", name);
  platen_json_number(&header, "protocol", PLATEN_PROTOCOL);
  if (version) platen_json_string(&header, "version", version);
  platen_json_close(&header, '}');
  platen_send(&header, NULL, 0);
}

/* ---- requests ---- */

static inline const char *platen_arg_string(const platen_request *request, const char *key, const char *absent) {
  const platen_value *value = platen_find(request->args, request->count, key);
  return value && value->type == PLATEN_STRING ? value->string : absent;
}

/* Of a boolean, 0 or 1. */
static inline double platen_arg_number(const platen_request *request, const char *key, double absent) {
  const platen_value *value = platen_find(request->args, request->count, key);
  return value && (value->type == PLATEN_NUMBER || value->type == PLATEN_BOOL) ? value->number : absent;
}

static inline void platen_free(platen_request *request) {
  if (!request) return;
  free(request->line);
  free(request);
}

/* Takes `line` over. NULL for what is no request. */
static inline platen_request *platen_parse(char *line) {
  platen_value fields[PLATEN_MAX_ARGS];
  size_t count;
  const platen_value *id, *verb;
  char *end;
  platen_request *request = (platen_request *)calloc(1, sizeof *request);
  if (!request) { free(line); return NULL; }
  request->line = line;
  end = platen_read_object(line, fields, &count, request->args, &request->count);
  id = end ? platen_find(fields, count, "id") : NULL;
  verb = end ? platen_find(fields, count, "verb") : NULL;
  if (!id || id->type != PLATEN_NUMBER || !verb || verb->type != PLATEN_STRING || *platen_skip(end)) {
    platen_free(request);
    return NULL;
  }
  request->id = id->number;
  request->verb = verb->string;
  return request;
}

/* The next request, to be freed; NULL at the end of stdin, and for a line that is no request (which stderr says). One thread only. */
static inline platen_request *platen_read(void) {
  for (;;) {
    char *end = (char *)memchr(platen.buffer, '\n', platen.buffered);
    long length;
    if (end) {
      size_t used = (size_t)(end - platen.buffer) + 1;
      char *line = (char *)malloc(used);
      platen_request *request;
      if (!line) return NULL;
      memcpy(line, platen.buffer, used);
      line[used - 1] = 0;
      platen.buffered -= used;
      memmove(platen.buffer, end + 1, platen.buffered);
      request = platen_parse(line);
      if (!request) fputs("a line on stdin is no request\n", stderr);
      return request;
    }
    if (platen.buffered == sizeof platen.buffer) {
      fprintf(stderr, "a request is longer than %u bytes\n", PLATEN_LINE_MAX);
      return NULL;
    }
    length = platen_os_read(platen_in, platen.buffer + platen.buffered, sizeof platen.buffer - platen.buffered);
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) return NULL;
    platen.buffered += (size_t)length;
  }
}

/* ---- serving ---- */

static inline void platen_put(platen_queue *queue, platen_request *request) {
  platen_lock(&platen.queueing);
  if (queue->last) queue->last->next = request;
  else queue->first = request;
  queue->last = request;
  platen_wake(&queue->queued);
  platen_unlock(&platen.queueing);
}

/* The next of the queue; NULL when the service is gone and `leaving` is through: what waits then is not begun. */
static inline platen_request *platen_take(platen_queue *queue) {
  platen_request *request;
  platen_lock(&platen.queueing);
  while (platen.left ? !platen.told : !queue->first) platen_wait(&queue->queued, &platen.queueing);
  request = platen.left ? NULL : queue->first;
  if (request && !(queue->first = request->next)) queue->last = NULL;
  platen_unlock(&platen.queueing);
  return request;
}

static inline const platen_verb *platen_verb_of(const platen_request *request) {
  size_t i;
  for (i = 0; i < platen.verb_count; i++) if (strcmp(platen.verbs[i].name, request->verb) == 0) return &platen.verbs[i];
  return NULL;
}

static inline void platen_work(platen_queue *queue) {
  platen_request *request;
  while ((request = platen_take(queue))) {
    platen_verb_of(request)->run(request);
    platen_free(request);
  }
}

static inline void platen_hurry(void) { platen_work(&platen.urgent); }

static inline void platen_listen(void) {
  platen_request *request;
  while ((request = platen_read())) {
    const platen_verb *verb = platen_verb_of(request);
    if (verb) { platen_put(verb->urgent ? &platen.urgent : &platen.ordinary, request); continue; }
    platen_error(request, "UNKNOWN_VERB", request->verb);
    platen_free(request);
  }
  platen_leave();
}

/* Runs verbs until the service is gone. */
static inline void platen_serve(const platen_verb *verbs, size_t count, void (*leaving)(void)) {
  platen.verbs = verbs;
  platen.verb_count = count;
  platen.leaving = leaving;
  if (platen_thread(platen_hurry) && platen_thread(platen_listen)) platen_work(&platen.ordinary);
  else fputs("no thread to be had\n", stderr);
}

#endif
