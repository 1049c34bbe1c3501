/* Shared by the verbs: a request, its answer, and the one device. VERBS.md describes the verbs. */
#ifndef PLATEN_SANE_VERBS_H
#define PLATEN_SANE_VERBS_H

#include <stdbool.h>
#include <stddef.h>

#include "library.h"

#include "platen_json.h"

struct platen_request;

struct answer {
  platen_json fields; /* of the last frame's header, besides id and ok */
  platen_json data;
  char status[24]; /* empty: success */
  char message[512];
};

/* SANE's status, by name, and its message with the action. */
void fail(struct answer *answer, SANE_Status status, const char *doing, ...) __attribute__((format(printf, 3, 4)));
/* BAD_REQUEST: the request is invalid and had no effect. */
void refuse(struct answer *answer, const char *why, ...) __attribute__((format(printf, 2, 3)));

/* Arguments. False or NULL: missing or of another type, and already refused. If an argument that is not `required` is absent, the value does not change. */
bool has_argument(const struct platen_request *request, const char *name);
const char *string_argument(const struct platen_request *request, const char *name, struct answer *answer);
bool number_argument(const struct platen_request *request, const char *name, double *value, bool required, struct answer *answer);
bool bool_argument(const struct platen_request *request, const char *name, bool *value, bool required, struct answer *answer);

/* Whether a cancel came after this request. */
bool is_cancelled(const struct platen_request *request);
/* A frame of this request that is not its last. `pass` is named in the header unless it is 0. */
void send_more(const struct platen_request *request, int pass, const void *data, size_t length);

/* Whether a backend's text, which may not be UTF-8, was sent as this string. */
bool same_text(const char *theirs, const char *ours);

bool is_initialised(void);
bool is_open(void);
SANE_Handle device(void);
/* Safe on any thread, at any time. */
void device_cancel(void);
void device_close(void);
/* At the end: cancels, closes and leaves the library. */
void device_exit(void);
/* The started page is over: the next call is start. */
void scan_over(void);

int values_of(const SANE_Option_Descriptor *option);
void add_word(platen_json *json, const char *key, SANE_Value_Type type, SANE_Word word);

typedef void verb(const struct platen_request *request, struct answer *answer);
verb verb_init, verb_devices, verb_open, verb_close;
verb verb_options, verb_get, verb_set, verb_set_auto;
verb verb_start, verb_parameters, verb_read, verb_merge;

#endif
