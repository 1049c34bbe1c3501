/*
 * A helper of Platen: a table of verbs behind stdin and stdout. This is the only header to include; include it first.
 * C99, C11 or C++, with libc and threads only; gcc, clang, mingw, MSVC.
 *
 *   static void list(const platen_request *request) {
 *     platen_json header = {0};                        (in C++: {})
 *     platen_begin(&header, request, 0);
 *     platen_json_string(&header, "name", "Flatbed");
 *     platen_send(&header, NULL, 0);
 *   }
 *   static const platen_verb verbs[] = { { "list", list, 0 }, { "cancel", cancel, 1 } };
 *   int main(void) {
 *     platen_start("example", NULL);                   (takes over stdin and stdout, says hello; call it first)
 *     platen_serve(verbs, 2, NULL);                    (until the service ends)
 *     return 0;                                        (after closing what is open)
 *   }
 *
 * A request is a line of JSON on stdin: {"id":7,"verb":"scan","args":{"device":"a","dpi":300}}
 *   At most PLATEN_LINE_MAX bytes; `args` has at most PLATEN_MAX_ARGS strings, numbers, booleans and nulls. A line that is
 *   no request ends the helper, with a sentence on stderr.
 *   platen_arg_string(request, key, absent)  UTF-8; `absent` if there is no such string. Valid until the verb returns.
 *   platen_arg_number(request, key, absent)  a number; 0 or 1 for a boolean
 *   platen_arg_int(request, key, absent)     the same, cut off, within an int's range
 *
 * An answer is any number of frames with `more`, then exactly one without.
 *   platen_begin(&header, request, more)     begins a frame: add its fields, then call platen_send
 *   platen_json_string, _number, _bool, _null(&header, key, value)
 *   platen_json_open(&header, key, '{' or '['), platen_json_close(&header, '}' or ']'): in a list, keys are NULL
 *   platen_send(&header, data, length)       frees the header; at most 64 KiB of header and 4 MiB of data in a frame: send
 *                                            pixels in bands of PLATEN_BAND bytes. 0: the verb should return
 *   platen_ok(request)                       an answer without fields
 *   platen_error(request, status, message)   the vendor API's own status, such as "JAMMED", and words for people
 *   The keys "id", "more", "ok" and "error" are the frame's own. An answer with a field of such a name is not sent: the
 *   driver gets the error RESERVED_KEY, which names the verb and the key; for a longer header, HEADER_TOO_LONG.
 *   An unknown verb is answered with the error UNKNOWN_VERB.
 *
 * Verbs run one at a time on the thread that called platen_serve. Urgent verbs run meanwhile, one at a time on a separate
 * thread; a third thread reads stdin, and a fourth waits for the end. Sending is allowed on any thread.
 * At the end of stdin, or when stdout is closed, `leaving` (the third argument of platen_serve, or NULL) is called once, on
 * any thread: it should make a verb that blocks return. A long verb checks platen_left(). platen_serve returns after it
 * and the running verb. After PLATEN_LEAVE_MS (1500) the process is ended, whatever lock it holds or waits for. Link with
 * -z now: a function that the dynamic linker has yet to find needs the linker's lock.
 * stdout is only for frames: printed text goes to stderr, and from there to Platen's log.
 */
#ifndef PLATEN_HELPER_H
#define PLATEN_HELPER_H
#include "platen_frames.h"
#include <limits.h>

/* ---- requests ---- */

static inline const char *platen_arg_string(const platen_request *request, const char *key, const char *absent) {
  const platen_value *value = platen_find(request->args, request->count, key);
  return value && value->type == PLATEN_STRING ? value->string : absent;
}

/* For a boolean, 0 or 1. */
static inline double platen_arg_number(const platen_request *request, const char *key, double absent) {
  const platen_value *value = platen_find(request->args, request->count, key);
  return value && (value->type == PLATEN_NUMBER || value->type == PLATEN_BOOL) ? value->number : absent;
}

/* A number as a whole one, cut off; beyond an int's range, the nearest int. */
static inline int platen_arg_int(const platen_request *request, const char *key, int absent) {
  double number = platen_arg_number(request, key, absent);
  return number >= INT_MAX ? INT_MAX : number <= INT_MIN ? INT_MIN : (int)number;
}

static inline void platen_free(platen_request *request) {
  if (!request) return;
  free(request->line);
  free(request);
}

/* Takes ownership of `line`. NULL if it is not a request. */
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

/* The next request, which the caller frees; NULL at the end of stdin and for an invalid line (reported on stderr). One thread only. */
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
      if (!request) fputs("a line on stdin is not a request\n", stderr);
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

/* The next request of the queue; NULL when the service has ended and `leaving` has returned: waiting requests are not started. */
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

/* Runs verbs until the service ends. */
static inline void platen_serve(const platen_verb *verbs, size_t count, void (*leaving)(void)) {
  platen.verbs = verbs;
  platen.verb_count = count;
  platen.leaving = leaving;
  if (platen_thread(platen_hurry) && platen_thread(platen_listen)) platen_work(&platen.ordinary);
  else fputs("cannot start a thread\n", stderr);
}

#endif
