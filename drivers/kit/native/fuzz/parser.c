/* The parser of requests, and the builder of headers: no verbs. */
#define PLATEN_FUZZ
#include "platen_fuzz.h"
