/*
 * The state of a helper for platen_helper.h, and its output: frames, answers to requests, the hello, and leaving when
 * stdout is closed.
 */
#ifndef PLATEN_FRAMES_H
#define PLATEN_FRAMES_H

#include "platen_system.h"
#include "platen_json.h"

#define PLATEN_PROTOCOL 1
#define PLATEN_BAND (1u << 20) /* the most pixel data that a frame should have, in bytes */
#define PLATEN_LINE_MAX (64u * 1024)
#define PLATEN_HEADER_MAX (64u * 1024) /* bytes; the driver ends a helper that sends more */
#ifndef PLATEN_LEAVE_MS
#define PLATEN_LEAVE_MS 1500u /* less than a supervisor waits before it kills: 2000 */
#endif

typedef struct platen_request {
  double id;
  const char *verb;
  platen_value args[PLATEN_MAX_ARGS];
  size_t count;
  char *line; /* holds all its strings */
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
  int left, told; /* the service has ended; `leaving` has returned */
  char buffer[PLATEN_LINE_MAX];
  size_t buffered;
} platen;

/* ---- leaving ---- */

/* Runs from the start. It takes no lock, allocates no memory and does not need the dynamic linker. */
static inline void platen_last_resort(void) {
  platen_await_fuse();
  platen_sleep_ms(PLATEN_LEAVE_MS);
  platen_last_words("a verb did not end in time: leaving without it\n");
  platen_vanish(0);
}

/* Whether the service has ended: a long verb should check between its bands. */
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
  platen_light_fuse();
  if (platen.leaving) platen.leaving();
  platen_lock(&platen.queueing);
  platen.told = 1;
  platen_wake(&platen.ordinary.queued);
  platen_wake(&platen.urgent.queued);
  platen_unlock(&platen.queueing);
}

/* ---- frames ---- */

#ifdef PLATEN_FUZZ
static int platen_fuzz_frame(const char *header, size_t length, const void *data, size_t data_length); /* platen_fuzz.h */
#endif

/* Closes the header's object, writes the frame and frees the header. */
static inline int platen_send_whole(platen_json *header, const void *data, size_t length) {
  unsigned char lead[8];
  size_t sizes[2];
  int i, done;
  platen_json_close(header, '}');
  sizes[0] = header->length - 8;
  sizes[1] = length;
  for (i = 0; i < 8; i++) lead[i] = (unsigned char)(sizes[i / 4] >> (8 * (i % 4)));
  memcpy(header->text, lead, 8);
  platen_lock(&platen.writing);
#ifdef PLATEN_FUZZ
  done = platen_fuzz_frame(header->text + 8, sizes[0], data, length);
#else
  done = platen_write_all(platen_out, header->text, header->length) && (length == 0 || platen_write_all(platen_out, data, length));
#endif
  platen_unlock(&platen.writing);
  platen_json_free(header);
  if (!done) platen_leave();
  return done;
}

/* Begins a header, with space for the lengths first. */
static inline void platen_header(platen_json *header) {
  header->length = 0;
  header->is_frame = header->depth = 0;
  header->reserved_key = NULL;
  platen_json_raw(header, "\0\0\0\0\0\0\0\0{", 9);
}

/* Begins an answer: with `more`, another frame of it follows. Add its fields with platen_json_…, then call platen_send. Any thread. */
static inline void platen_begin(platen_json *header, const platen_request *request, int more) {
  platen_header(header);
  platen_json_number(header, "id", request->id);
  platen_json_bool(header, more ? "more" : "ok", 1);
  header->is_frame = 1;
  header->id = request->id;
  snprintf(header->verb, sizeof header->verb, "%s", request->verb ? request->verb : "");
}

static inline int platen_fail(double id, const char *status, const char *message) {
  platen_json header;
  char name[100], words[2000]; /* the start of longer ones: a header has an end */
  snprintf(name, sizeof name, "%s", status ? status : "");
  snprintf(words, sizeof words, "%s", message ? message : "");
  memset(&header, 0, sizeof header);
  platen_header(&header);
  platen_json_number(&header, "id", id);
  platen_json_open(&header, "error", '{');
  platen_json_string(&header, "status", name);
  platen_json_string(&header, "message", words);
  platen_json_close(&header, '}');
  return platen_send_whole(&header, NULL, 0);
}

/*
 * Sends the frame with `length` bytes of data, and frees the header. Any thread; frames are whole.
 * Returns 0 if the verb should return: the service has ended, or the answer has a key of platen_reserved or a header over
 * PLATEN_HEADER_MAX. Such an answer becomes the error RESERVED_KEY or HEADER_TOO_LONG, which names the verb.
 */
static inline int platen_send(platen_json *header, const void *data, size_t length) {
  char message[200];
  double id = header->id;
  size_t whole = header->length - 8 + 1; /* with its '}' */
  const char *key = header->reserved_key;
  if (!key && whole <= PLATEN_HEADER_MAX) return platen_send_whole(header, data, length);
  if (key) snprintf(message, sizeof message, "the answer to \"%s\" has a field \"%s\", which is the frame's own: give the field another name", header->verb, key);
  else snprintf(message, sizeof message, "the answer to \"%s\" has a header of %lu bytes, at most %u: send it in several frames, or as data",
                header->verb, (unsigned long)whole, PLATEN_HEADER_MAX);
  fprintf(stderr, "%s\n", message);
  platen_json_free(header);
  platen_fail(id, key ? "RESERVED_KEY" : "HEADER_TOO_LONG", message);
  return 0;
}

/* The end of an answer without fields. Returns what platen_send does. */
static inline int platen_ok(const platen_request *request) {
  platen_json header;
  memset(&header, 0, sizeof header);
  platen_begin(&header, request, 0);
  return platen_send(&header, NULL, 0);
}

/*
 * The end of an answer that failed. `status` is the vendor API's own name, such as "JAMMED": the driver's TypeScript defines
 * what it means to Platen. `message` is for people.
 */
static inline int platen_error(const platen_request *request, const char *status, const char *message) {
  return platen_fail(request->id, status, message);
}

/* Takes over stdin and stdout and says hello. Call it first. `version` of the vendor's API, or NULL. */
static inline void platen_start(const char *name, const char *version) {
  platen_json header;
  memset(&header, 0, sizeof header);
  platen_mutex_init(&platen.writing);
  platen_mutex_init(&platen.queueing);
  platen_condition_init(&platen.ordinary.queued);
  platen_condition_init(&platen.urgent.queued);
  platen_take_streams();
  if (!platen_lay_fuse() || !platen_thread(platen_last_resort)) {
    platen_last_words("cannot start a thread\n");
    platen_vanish(1);
  }
  platen_header(&header);
  platen_json_open(&header, "hello", '{');
  platen_json_string(&header, "name", name);
  platen_json_number(&header, "protocol", PLATEN_PROTOCOL);
  if (version) platen_json_string(&header, "version", version);
  platen_json_close(&header, '}');
  platen_send_whole(&header, NULL, 0);
}

#endif
