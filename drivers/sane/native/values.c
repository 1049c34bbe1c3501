/* An option's value: get, set and setAuto, with checks that keep a backend from reading or writing past a buffer. */
#include "verbs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 4096, LONGEST_STRING = 32768 };

/* The option with the request's index, if it has a value or is a button; NULL: refused. */
static const SANE_Option_Descriptor *option_of(const struct platen_request *request, SANE_Int *index, struct answer *answer) {
  double number = -1;
  if (!number_argument(request, "index", &number, true, answer)) return NULL;
  const SANE_Option_Descriptor *option = NULL;
  if (number >= 0 && number <= INT_MAX && number == (double)(SANE_Int)number) {
    *index = (SANE_Int)number;
    option = sane.get_option_descriptor(device(), *index);
  }
  if (option == NULL) refuse(answer, "there is no option %.17g", number);
  else if ((unsigned)option->type >= SANE_TYPE_GROUP) refuse(answer, "option %d is a group", *index);
  else if (values_of(option) > MOST_VALUES) refuse(answer, "option %d has %d values, more than %d", *index, values_of(option), MOST_VALUES);
  else if (option->type == SANE_TYPE_STRING && option->size > LONGEST_STRING) refuse(answer, "option %d is longer than %d bytes", *index, LONGEST_STRING);
  else if (option->type != SANE_TYPE_BUTTON && option->size < 1) refuse(answer, "option %d holds nothing", *index);
  else return option;
  return NULL;
}

static const char *name_of(const SANE_Option_Descriptor *option) { return option->name == NULL ? "" : option->name; }

/* One byte longer than the option, so that a string always ends, even from a faulty backend. The caller frees it. */
static void *room_for(const SANE_Option_Descriptor *option) {
  void *room = calloc(1, (option->size > 0 ? (size_t)option->size : 0) + sizeof(SANE_Word));
  if (room == NULL) abort();
  return room;
}

static void add_value(platen_json *json, const SANE_Option_Descriptor *option, const void *value) {
  if (option->type == SANE_TYPE_STRING) {
    platen_json_string(json, "value", value);
    return;
  }
  const SANE_Word *words = value;
  int count = values_of(option);
  if (count == 1) return add_word(json, "value", option->type, words[0]);
  platen_json_open(json, "value", '[');
  for (int i = 0; i < count; i++) add_word(json, NULL, option->type, words[i]);
  platen_json_close(json, ']');
}

static void add_info(struct answer *answer, SANE_Int info) {
  platen_json_bool(&answer->fields, "inexact", info & SANE_INFO_INEXACT);
  platen_json_bool(&answer->fields, "reloadOptions", info & SANE_INFO_RELOAD_OPTIONS);
  platen_json_bool(&answer->fields, "reloadParameters", info & SANE_INFO_RELOAD_PARAMS);
}

void verb_get(const struct platen_request *request, struct answer *answer) {
  SANE_Int index = 0;
  const SANE_Option_Descriptor *option = option_of(request, &index, answer);
  if (option == NULL) return;
  if (option->type == SANE_TYPE_BUTTON) return refuse(answer, "option %d is a button and has no value", index);
  void *value = room_for(option);
  SANE_Status status = sane.control_option(device(), index, SANE_ACTION_GET_VALUE, value, NULL);
  if (status != SANE_STATUS_GOOD) fail(answer, status, "reading option %d (%.100s)", index, name_of(option));
  else add_value(&answer->fields, option, value);
  free(value);
}

/* The bytes that the backend listed for this text, or else the text. */
static const char *as_constrained(const SANE_Option_Descriptor *option, const char *value) {
  if (option->constraint_type != SANE_CONSTRAINT_STRING_LIST || option->constraint.string_list == NULL) return value;
  for (const SANE_String_Const *at = option->constraint.string_list; *at != NULL; at++)
    if (same_text(*at, value)) return *at;
  return value;
}

/* Fills `room` with the request's value. False: refused. */
static bool take_value(const struct platen_request *request, const SANE_Option_Descriptor *option, SANE_Int index, void *room, struct answer *answer) {
  SANE_Word *word = room;
  if (option->type == SANE_TYPE_STRING) {
    const char *given = string_argument(request, "value", answer);
    if (given == NULL) return false;
    const char *value = as_constrained(option, given);
    if (strlen(value) >= (size_t)option->size) {
      refuse(answer, "option %d (%.100s) holds %d bytes at most", index, name_of(option), option->size - 1);
      return false;
    }
    strcpy(room, value);
    return true;
  }
  if (values_of(option) != 1) {
    refuse(answer, "option %d (%.100s) has %d values: it can be read only", index, name_of(option), values_of(option));
    return false;
  }
  if (option->type == SANE_TYPE_BOOL) {
    bool given = false;
    if (!bool_argument(request, "value", &given, true, answer)) return false;
    *word = given ? SANE_TRUE : SANE_FALSE;
    return true;
  }
  double given = 0;
  if (!number_argument(request, "value", &given, true, answer)) return false;
  /* Rounds to the nearest word, unlike SANE_FIX, so that a value read from a word becomes that word again. */
  double scaled = option->type == SANE_TYPE_FIXED ? given * (1 << SANE_FIXED_SCALE_SHIFT) : given;
  bool fits = scaled >= INT_MIN && scaled <= INT_MAX;
  double whole = !fits ? 0 : scaled < 0 ? (double)(long long)(scaled - 0.5) : (double)(long long)(scaled + 0.5);
  if (!fits || whole > INT_MAX || whole < INT_MIN) refuse(answer, "%.17g is out of the range of option %d (%.100s)", given, index, name_of(option));
  else if (option->type == SANE_TYPE_INT && whole != given) refuse(answer, "option %d (%.100s) takes whole numbers", index, name_of(option));
  else {
    *word = (SANE_Word)whole;
    return true;
  }
  return false;
}

void verb_set(const struct platen_request *request, struct answer *answer) {
  SANE_Int index = 0;
  SANE_Int info = 0;
  const SANE_Option_Descriptor *option = option_of(request, &index, answer);
  if (option == NULL) return;
  bool button = option->type == SANE_TYPE_BUTTON;
  if (button && has_argument(request, "value")) return refuse(answer, "option %d is a button: it is pressed without a value", index);
  SANE_Option_Descriptor before = *option; /* setting may change the descriptor, but not the size of the buffer here */
  void *value = room_for(&before);
  if (button || take_value(request, &before, index, value, answer)) {
    SANE_Status status = sane.control_option(device(), index, SANE_ACTION_SET_VALUE, value, &info);
    if (status != SANE_STATUS_GOOD) {
      fail(answer, status, "setting option %d (%.100s)", index, name_of(&before));
    } else {
      if (!button) add_value(&answer->fields, &before, value);
      add_info(answer, info);
    }
  }
  free(value);
}

void verb_set_auto(const struct platen_request *request, struct answer *answer) {
  SANE_Int index = 0;
  SANE_Int info = 0;
  const SANE_Option_Descriptor *option = option_of(request, &index, answer);
  if (option == NULL) return;
  if (option->type == SANE_TYPE_BUTTON) return refuse(answer, "option %d is a button: it is pressed by set", index);
  SANE_Status status = sane.control_option(device(), index, SANE_ACTION_SET_AUTO, NULL, &info);
  if (status != SANE_STATUS_GOOD) return fail(answer, status, "setting option %d (%.100s) automatically", index, name_of(option));
  add_info(answer, info);
}
