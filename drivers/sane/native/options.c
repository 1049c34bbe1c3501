/* The backend's option descriptors, as a JSON list. */
#include "verbs.h"

static const char *const types[] = {"bool", "int", "fixed", "string", "button", "group"};
static const char *const units[] = {"none", "pixel", "bit", "mm", "dpi", "percent", "microsecond"};

int values_of(const SANE_Option_Descriptor *option) {
  switch (option->type) {
    case SANE_TYPE_BOOL:
    case SANE_TYPE_INT:
    case SANE_TYPE_FIXED: return option->size / (int)sizeof(SANE_Word);
    case SANE_TYPE_STRING: return 1;
    default: return 0;
  }
}

void add_word(platen_json *json, const char *key, SANE_Value_Type type, SANE_Word word) {
  if (type == SANE_TYPE_BOOL) platen_json_bool(json, key, word);
  else platen_json_number(json, key, type == SANE_TYPE_FIXED ? SANE_UNFIX(word) : word);
}

static void add_constraint(platen_json *json, const SANE_Option_Descriptor *option) {
  const SANE_Range *range = option->constraint.range;
  const SANE_Word *words = option->constraint.word_list;
  const SANE_String_Const *string = option->constraint.string_list;
  /* One pointer in a union; NULL from a faulty backend means no constraint. */
  SANE_Constraint_Type type = range == NULL ? SANE_CONSTRAINT_NONE : option->constraint_type;
  if (type != SANE_CONSTRAINT_RANGE && type != SANE_CONSTRAINT_WORD_LIST && type != SANE_CONSTRAINT_STRING_LIST) {
    platen_json_null(json, "constraint");
    return;
  }
  platen_json_open(json, "constraint", '{');
  if (type == SANE_CONSTRAINT_RANGE) {
    add_word(json, "min", option->type, range->min);
    add_word(json, "max", option->type, range->max);
    add_word(json, "quant", option->type, range->quant);
  } else {
    platen_json_open(json, type == SANE_CONSTRAINT_WORD_LIST ? "words" : "strings", '[');
    if (type == SANE_CONSTRAINT_WORD_LIST)
      for (SANE_Word i = 1; i <= words[0]; i++) add_word(json, NULL, option->type, words[i]);
    else
      for (; *string != NULL; string++) platen_json_string(json, NULL, *string);
    platen_json_close(json, ']');
  }
  platen_json_close(json, '}');
}

static void add_option(platen_json *json, SANE_Int index, const SANE_Option_Descriptor *option) {
  platen_json_open(json, NULL, '{');
  platen_json_number(json, "index", index);
  platen_json_string(json, "name", option->name);
  platen_json_string(json, "title", option->title);
  platen_json_string(json, "description", option->desc);
  platen_json_string(json, "type", (unsigned)option->type < 6 ? types[option->type] : "group");
  platen_json_string(json, "unit", (unsigned)option->unit < 7 ? units[option->unit] : "none");
  platen_json_number(json, "count", values_of(option));
  platen_json_bool(json, "active", SANE_OPTION_IS_ACTIVE(option->cap));
  platen_json_bool(json, "settable", SANE_OPTION_IS_SETTABLE(option->cap));
  platen_json_bool(json, "readable", option->cap & SANE_CAP_SOFT_DETECT);
  platen_json_bool(json, "automatic", option->cap & SANE_CAP_AUTOMATIC);
  platen_json_bool(json, "advanced", option->cap & SANE_CAP_ADVANCED);
  add_constraint(json, option);
  platen_json_close(json, '}');
}

void verb_options(const struct platen_request *request, struct answer *answer) {
  (void)request;
  SANE_Int total = 0; /* option 0 of every device is the number of its options, itself included */
  int count = 0;
  SANE_Status status = sane.control_option(device(), 0, SANE_ACTION_GET_VALUE, &total, NULL);
  if (status != SANE_STATUS_GOOD) return fail(answer, status, "reading the number of options");
  platen_json_open(&answer->data, NULL, '[');
  for (SANE_Int index = 0; index < total; index++) {
    const SANE_Option_Descriptor *option = sane.get_option_descriptor(device(), index);
    if (option == NULL) continue;
    add_option(&answer->data, index, option);
    count++;
  }
  platen_json_close(&answer->data, ']');
  platen_json_number(&answer->fields, "count", count);
}
