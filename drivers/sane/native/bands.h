/* A frame of SANE on its way out, band by band. */
#ifndef PLATEN_SANE_BANDS_H
#define PLATEN_SANE_BANDS_H

#include <stdint.h>

#include "verbs.h"

enum { SMALLEST_BAND = 4096, DEFAULT_BAND = 1 << 20, LARGEST_BAND = 4 << 20 };

struct bands {
  const struct platen_request *request;
  size_t size;   /* the largest band */
  size_t sample; /* bytes: 2 at depth 16, or 1 */
  bool high;     /* of two bytes, the high one only */
  uint64_t sent; /* bytes */
};

/* Takes whole units from `bytes` (which it may change) and returns how many bytes those were. */
typedef size_t taker(void *context, unsigned char *bytes, size_t length);

/* sane_start, if nothing was cancelled meanwhile. */
SANE_Status start_frame(const struct platen_request *request);
/* Reads up to the end of the frame. GOOD: all of it was taken. `buffer` has `size` bytes, and is offered when full or a while after the last time. */
SANE_Status pump(const struct platen_request *request, unsigned char *buffer, size_t size, taker *take, void *context);

/* Of `length` bytes in 16-bit samples the high bytes, in place. Returns how many. */
size_t keep_high(unsigned char *bytes, size_t length);

SANE_Status read_frame(struct bands *bands);
/* Three frames, the first of which was started; `parameters` are those. `doing` is where it went wrong. */
SANE_Status merge_frames(struct bands *bands, const SANE_Parameters *parameters, char *doing, size_t doing_size);

#endif
