/*
 * Fuzzes a helper: any bytes in place of stdin, through the parser of requests into the helper's verbs. What the verbs send
 * is checked too. POSIX systems; C99, C11 or C++. native/fuzz.c of a driver, in full:
 *
 *   #define PLATEN_FUZZ
 *   #define main helper_main           (the helper's own main does not run)
 *   #include "helper.c"
 *   #undef main
 *   #define PLATEN_FUZZ_VERBS verbs    (the array; without it, only the parser is fuzzed)
 *   #include "platen_fuzz.h"
 *
 * Optional, before the last line:
 *   #define PLATEN_FUZZ_BEGIN begin    void begin(void): once, what the helper's main does before platen_serve
 *   #define PLATEN_FUZZ_RESET reset    void reset(void): after each input, closes what it left open
 *
 * `platen-fuzz` builds and runs it. By hand:
 *   clang -g -O1 -fsanitize=fuzzer,address,undefined -I KIT/native native/fuzz.c -o fuzz
 *   cc -DPLATEN_FUZZ_MAIN -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -I KIT/native native/fuzz.c -o fuzz
 *   ./fuzz -max_total_time=60 -seed=1 CORPUS…    or ./fuzz FILE…, which runs the files once
 * The second has the main of platen_fuzz_main.h, for compilers without libFuzzer.
 *
 * Verbs run on the calling thread, the urgent ones too. Each answer must be over when its verb returns. An input fails if a
 * sanitizer reports something, or if a verb sends a frame that the driver would refuse: see platen_fuzz_frame.
 */
#ifndef PLATEN_FUZZ_H
#define PLATEN_FUZZ_H

#if !defined(PLATEN_FUZZ) || defined(_WIN32)
#error "Write #define PLATEN_FUZZ before the helper is included. There is no fuzzing on Windows."
#endif

#include "platen_helper.h"
#include <stdarg.h>
#include <stdint.h>

#define PLATEN_DATA_MAX (4u << 20)

static const platen_request *platen_fuzz_request; /* the one that is being answered */
static int platen_fuzz_answered;

static void platen_fuzz_fail(const char *what, ...) {
  va_list values;
  va_start(values, what);
  fprintf(stderr, "The verb \"%.100s\" ", platen_fuzz_request ? platen_fuzz_request->verb : "?");
  vfprintf(stderr, what, values);
  fputs(".\n", stderr);
  va_end(values);
  abort();
}

/* ---- what a verb sends ---- */

/* The position after the string, value, …; NULL if there is none. A header ends with '}', so that no read is past it. */
static const char *platen_fuzz_string(const char *at, const char *end) {
  if (at == end || *at++ != '"') return NULL;
  while (at < end && *at != '"') {
    size_t length = *at == '\\' ? 2 : platen_utf8_length((const unsigned char *)at);
    if ((unsigned char)*at < 0x20 || length == 0) return NULL;
    at += length;
  }
  return at < end ? at + 1 : NULL;
}

static const char *platen_fuzz_word(const char *at, const char *end) {
  static const char *const words[] = {"true", "false", "null"};
  const char *from = at;
  size_t i;
  for (i = 0; i < sizeof words / sizeof words[0]; i++)
    if ((size_t)(end - at) >= strlen(words[i]) && memcmp(at, words[i], strlen(words[i])) == 0) return at + strlen(words[i]);
  while (at < end && *at && strchr("+-.0123456789e", *at)) at++;
  return at > from ? at : NULL;
}

static const char *platen_fuzz_value(const char *at, const char *end, int depth) {
  char close;
  if (at == end || depth > 200) return NULL;
  if (*at == '"') return platen_fuzz_string(at, end);
  if (*at != '{' && *at != '[') return platen_fuzz_word(at, end);
  close = *at++ == '{' ? '}' : ']';
  if (at < end && *at == close) return at + 1;
  for (;;) {
    if (close == '}' && (!(at = platen_fuzz_string(at, end)) || at == end || *at++ != ':')) return NULL;
    if (!(at = platen_fuzz_value(at, end, depth + 1)) || at == end) return NULL;
    if (*at == close) return at + 1;
    if (*at++ != ',') return NULL;
  }
}

static int platen_fuzz_begins(const char *text, size_t length, const char *with, size_t with_length) {
  return length >= with_length && memcmp(text, with, with_length) == 0;
}

/* Takes each frame in place of stdout. Ends the process if the driver would refuse it, or if the answer is over. */
static int platen_fuzz_frame(const char *header, size_t length, const void *data, size_t data_length) {
  platen_json id;
  size_t at;
  memset(&id, 0, sizeof id);
  if (!platen_fuzz_request) platen_fuzz_fail("sent a frame outside of its run");
  if (platen_fuzz_answered) platen_fuzz_fail("sent a frame after its last one: %.*s", (int)(length < 200 ? length : 200), header);
  if (length > PLATEN_HEADER_MAX) platen_fuzz_fail("sent a header of %lu bytes: at most %u", (unsigned long)length, PLATEN_HEADER_MAX);
  if (data_length > PLATEN_DATA_MAX) platen_fuzz_fail("sent %lu bytes of data in a frame: at most %u", (unsigned long)data_length, PLATEN_DATA_MAX);
  if (platen_fuzz_value(header, header + length, 0) != header + length)
    platen_fuzz_fail("sent a header that is not JSON: %.*s", (int)(length < 2000 ? length : 2000), header);
  platen_json_raw(&id, "{", 1);
  platen_json_number(&id, "id", platen_fuzz_request->id);
  platen_json_raw(&id, ",", 1);
  at = id.length;
  if (!platen_fuzz_begins(header, length, id.text, id.length))
    platen_fuzz_fail("answered another request: %.*s", (int)(length < 200 ? length : 200), header);
  platen_json_free(&id);
  platen_fuzz_answered = !platen_fuzz_begins(header + at, length - at, "\"more\":true", 11);
  return platen_write_all(platen_out, header, length) && platen_write_all(platen_out, data, data_length); /* sanitizers see whether it can be read */
}

/* ---- an input ---- */

#ifdef PLATEN_FUZZ_VERBS
static void platen_fuzz_run(const platen_request *request) {
  const platen_verb *verb = platen_verb_of(request);
  if (verb) verb->run(request);
  else platen_error(request, "UNKNOWN_VERB", request->verb);
}
#else
/* Reads every value, and sends it back. */
static void platen_fuzz_run(const platen_request *request) {
  size_t i;
  for (i = 0; i < request->count; i++) {
    const platen_value *value = &request->args[i];
    platen_json header;
    memset(&header, 0, sizeof header);
    platen_begin(&header, request, 1);
    platen_json_open(&header, "value", '{');
    if (value->type == PLATEN_STRING) platen_json_string(&header, value->key, value->string);
    else platen_json_number(&header, value->key, platen_arg_int(request, value->key, 0) + value->number);
    platen_json_close(&header, '}');
    if (!platen_send(&header, NULL, 0)) return;
  }
  platen_error(request, "UNKNOWN_VERB", request->verb);
}
#endif

static void platen_fuzz_begin(void) {
  platen_mutex_init(&platen.writing);
  platen_mutex_init(&platen.queueing);
  platen_in = open("/dev/null", O_RDONLY);
  platen_out = open("/dev/null", O_WRONLY);
  if (platen_in < 0 || platen_out < 0 || !freopen("/dev/null", "w", stdout)) abort();
#ifdef PLATEN_FUZZ_VERBS
  platen.verbs = PLATEN_FUZZ_VERBS;
  platen.verb_count = sizeof PLATEN_FUZZ_VERBS / sizeof PLATEN_FUZZ_VERBS[0];
#endif
#ifdef PLATEN_FUZZ_BEGIN
  PLATEN_FUZZ_BEGIN();
#endif
}

#ifdef __cplusplus
extern "C"
#endif
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static int has_begun;
  platen_request *request;
  if (!has_begun) platen_fuzz_begin();
  has_begun = 1;
  platen.buffered = size < sizeof platen.buffer ? size : sizeof platen.buffer;
  memcpy(platen.buffer, data, platen.buffered);
  while ((request = platen_read())) {
    platen_fuzz_request = request;
    platen_fuzz_answered = 0;
    platen_fuzz_run(request);
    if (!platen_fuzz_answered) platen_fuzz_fail("returned without a last frame");
    platen_fuzz_request = NULL;
    platen_free(request);
  }
#ifdef PLATEN_FUZZ_RESET
  PLATEN_FUZZ_RESET();
#endif
  return 0;
}

#ifdef PLATEN_FUZZ_MAIN
#include "platen_fuzz_main.h"
#endif
#endif
