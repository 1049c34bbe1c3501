/* The JSON that a helper needs: reads a flat request with one object of scalars, and builds headers. */
#ifndef PLATEN_JSON_H
#define PLATEN_JSON_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLATEN_MAX_ARGS 64

typedef enum { PLATEN_NULL, PLATEN_BOOL, PLATEN_NUMBER, PLATEN_STRING } platen_type;

typedef struct {
  const char *key;
  platen_type type;
  const char *string; /* UTF-8; PLATEN_STRING only */
  double number;      /* PLATEN_NUMBER; PLATEN_BOOL: 0 or 1 */
} platen_value;

/* ---- reading: strings are decoded in place, in the line that contains them ---- */

static inline char *platen_skip(char *at) {
  while (*at == ' ' || *at == '\t' || *at == '\r') at++;
  return at;
}

static inline char *platen_utf8(char *to, unsigned long c) {
  if (c < 0x80) *to++ = (char)c;
  else if (c < 0x800) { *to++ = (char)(0xc0 | c >> 6); *to++ = (char)(0x80 | (c & 63)); }
  else if (c < 0x10000) { *to++ = (char)(0xe0 | c >> 12); *to++ = (char)(0x80 | (c >> 6 & 63)); *to++ = (char)(0x80 | (c & 63)); }
  else { *to++ = (char)(0xf0 | c >> 18); *to++ = (char)(0x80 | (c >> 12 & 63)); *to++ = (char)(0x80 | (c >> 6 & 63)); *to++ = (char)(0x80 | (c & 63)); }
  return to;
}

/* Reads four hexadecimal digits; negative if they are not. */
static inline long platen_hex4(const char *at) {
  long value = 0;
  int i;
  for (i = 0; i < 4; i++) {
    char c = at[i];
    int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/* `at` is after the opening quote. Returns the position after the closing one; NULL for an invalid string. A decoded string is never longer. */
static inline char *platen_read_string(char *at, const char **string) {
  char *to = at;
  *string = at;
  for (;;) {
    unsigned char c = (unsigned char)*at++;
    if (c == '"') { *to = 0; return at; }
    if (c < 0x20) return NULL;
    if (c != '\\') { *to++ = (char)c; continue; }
    switch (*at++) {
      case '"': *to++ = '"'; break;
      case '\\': *to++ = '\\'; break;
      case '/': *to++ = '/'; break;
      case 'b': *to++ = '\b'; break;
      case 'f': *to++ = '\f'; break;
      case 'n': *to++ = '\n'; break;
      case 'r': *to++ = '\r'; break;
      case 't': *to++ = '\t'; break;
      case 'u': {
        long high = platen_hex4(at), low;
        if (high <= 0) return NULL; /* a C string ends at 0 */
        at += 4;
        if (high >= 0xd800 && high < 0xdc00 && at[0] == '\\' && at[1] == 'u' && (low = platen_hex4(at + 2)) >= 0xdc00 && low < 0xe000) {
          to = platen_utf8(to, 0x10000ul + ((unsigned long)(high - 0xd800) << 10) + (unsigned long)(low - 0xdc00));
          at += 6;
        } else to = platen_utf8(to, high >= 0xd800 && high < 0xe000 ? 0xfffdul : (unsigned long)high);
        break;
      }
      default: return NULL;
    }
  }
}

/* Parsed by hand: strtod depends on the locale, which a vendor's library may have set. */
static inline char *platen_read_number(char *at, double *number) {
  double mantissa = 0, power = 1;
  int negative = *at == '-', exponent = 0, sign = 1, digits = 0;
  if (negative) at++;
  for (; *at >= '0' && *at <= '9'; at++, digits++) mantissa = mantissa * 10 + (*at - '0');
  if (!digits) return NULL;
  if (*at == '.') for (at++; *at >= '0' && *at <= '9'; at++) {
    if (mantissa < 9e14) { mantissa = mantissa * 10 + (*at - '0'); power *= 10; }
  }
  if (*at == 'e' || *at == 'E') {
    at++;
    if (*at == '+' || *at == '-') sign = *at++ == '-' ? -1 : 1;
    if (*at < '0' || *at > '9') return NULL;
    for (; *at >= '0' && *at <= '9'; at++) if (exponent < 400) exponent = exponent * 10 + (*at - '0');
  }
  mantissa /= power;
  for (; exponent > 0; exponent--) mantissa = sign > 0 ? mantissa * 10 : mantissa / 10;
  *number = negative ? -mantissa : mantissa;
  return at;
}

static inline char *platen_read_scalar(char *at, platen_value *value) {
  value->string = NULL;
  value->number = 0;
  if (*at == '"') { value->type = PLATEN_STRING; return platen_read_string(at + 1, &value->string); }
  if (strncmp(at, "null", 4) == 0) { value->type = PLATEN_NULL; return at + 4; }
  if (strncmp(at, "false", 5) == 0) { value->type = PLATEN_BOOL; return at + 5; }
  if (strncmp(at, "true", 4) == 0) { value->type = PLATEN_BOOL; value->number = 1; return at + 4; }
  value->type = PLATEN_NUMBER;
  return platen_read_number(at, &value->number);
}

/* Reads an object; `nested`, if given, receives the one member that may be an object. Returns the position after it, or NULL. */
static inline char *platen_read_object(char *at, platen_value *values, size_t *count, platen_value *nested, size_t *nested_count) {
  *count = 0;
  at = platen_skip(at);
  if (*at++ != '{') return NULL;
  at = platen_skip(at);
  if (*at == '}') return at + 1;
  for (;;) {
    const char *key;
    at = platen_skip(at);
    if (*at != '"' || !(at = platen_read_string(at + 1, &key))) return NULL;
    at = platen_skip(at);
    if (*at++ != ':') return NULL;
    at = platen_skip(at);
    if (*at == '{' && nested) {
      if (!(at = platen_read_object(at, nested, nested_count, NULL, NULL))) return NULL;
      nested = NULL;
    } else {
      if (*count == PLATEN_MAX_ARGS) return NULL;
      values[*count].key = key;
      if (!(at = platen_read_scalar(at, &values[*count]))) return NULL;
      ++*count;
    }
    at = platen_skip(at);
    if (*at == '}') return at + 1;
    if (*at++ != ',') return NULL;
  }
}

static inline const platen_value *platen_find(const platen_value *values, size_t count, const char *key) {
  size_t i;
  for (i = 0; i < count; i++) if (strcmp(values[i].key, key) == 0) return &values[i];
  return NULL;
}

/* ---- building: a key is NULL inside a list ---- */

/* Begins as `platen_json header = {0};`, in C++ `platen_json header = {};`. */
typedef struct {
  char *text;
  size_t length, capacity;
  /* Of a frame's header, set by platen_begin: */
  int is_frame, depth; /* objects and lists that are open in it */
  double id;
  char verb[32];           /* the start of its name */
  const char *reserved_key; /* a frame's own key that a verb added; NULL: none */
} platen_json;

/* The keys of an answer's frame: a verb's own values have other names. */
static const char *const platen_reserved[] = {"id", "more", "ok", "error"};

static inline void platen_json_raw(platen_json *json, const char *text, size_t length) {
  if (json->length + length > json->capacity) {
    size_t capacity = (json->length + length) * 2 + 256;
    char *grown = (char *)realloc(json->text, capacity);
    if (!grown) { fputs("out of memory\n", stderr); abort(); }
    json->text = grown;
    json->capacity = capacity;
  }
  memcpy(json->text + json->length, text, length);
  json->length += length;
}

/* Length of the UTF-8 character at `at`; 0 if it is not one. */
static inline size_t platen_utf8_length(const unsigned char *at) {
  size_t length = at[0] < 0x80 ? 1 : at[0] >= 0xc2 && at[0] < 0xe0 ? 2 : (at[0] & 0xf0) == 0xe0 ? 3 : at[0] >= 0xf0 && at[0] < 0xf5 ? 4 : 0;
  size_t i;
  for (i = 1; i < length; i++) if ((at[i] & 0xc0) != 0x80) return 0;
  if (length == 3 && ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] >= 0xa0))) return 0;
  if (length == 4 && ((at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] >= 0x90))) return 0;
  return length;
}

/* Vendors' text is not always UTF-8: anything else is read as Latin-1. */
static inline void platen_json_quote(platen_json *json, const char *text) {
  const unsigned char *at = (const unsigned char *)(text ? text : "");
  char small[8];
  platen_json_raw(json, "\"", 1);
  while (*at) {
    size_t length = platen_utf8_length(at);
    if (*at < 0x20 || *at == '"' || *at == '\\') {
      platen_json_raw(json, small, (size_t)snprintf(small, sizeof small, "\\u%04x", *at));
      length = 1;
    } else if (length == 0) {
      platen_json_raw(json, small, (size_t)(platen_utf8(small, *at) - small));
      length = 1;
    } else platen_json_raw(json, (const char *)at, length);
    at += length;
  }
  platen_json_raw(json, "\"", 1);
}

static inline void platen_json_key(platen_json *json, const char *key) {
  char last = json->length ? json->text[json->length - 1] : '{';
  if (last != '{' && last != '[') platen_json_raw(json, ",", 1);
  if (!key) return;
  if (json->is_frame && json->depth == 0) {
    size_t i;
    for (i = 0; i < sizeof platen_reserved / sizeof platen_reserved[0]; i++)
      if (strcmp(key, platen_reserved[i]) == 0) json->reserved_key = platen_reserved[i];
  }
  platen_json_quote(json, key);
  platen_json_raw(json, ":", 1);
}

/* `bracket` is '{' or '['; platen_json_close takes the matching '}' or ']'. */
static inline void platen_json_open(platen_json *json, const char *key, char bracket) {
  if (json->length) platen_json_key(json, key);
  json->depth++;
  platen_json_raw(json, &bracket, 1);
}

static inline void platen_json_close(platen_json *json, char bracket) {
  json->depth--;
  platen_json_raw(json, &bracket, 1);
}

/* A NULL value is written as "". */
static inline void platen_json_string(platen_json *json, const char *key, const char *value) {
  platen_json_key(json, key);
  platen_json_quote(json, value);
}

static inline void platen_json_number(platen_json *json, const char *key, double value) {
  char text[40], *at;
  platen_json_key(json, key);
  if (value != value || value - value != 0) { platen_json_raw(json, "null", 4); return; } /* JSON has no infinity */
  snprintf(text, sizeof text, "%.12g", value);
  for (at = text; *at; at++) if (*at == ',') *at = '.'; /* the locale of a vendor's library */
  platen_json_raw(json, text, strlen(text));
}

static inline void platen_json_bool(platen_json *json, const char *key, int value) {
  platen_json_key(json, key);
  platen_json_raw(json, value ? "true" : "false", value ? 4 : 5);
}

static inline void platen_json_null(platen_json *json, const char *key) {
  platen_json_key(json, key);
  platen_json_raw(json, "null", 4);
}

static inline void platen_json_free(platen_json *json) {
  free(json->text);
  memset(json, 0, sizeof *json);
}

#endif
