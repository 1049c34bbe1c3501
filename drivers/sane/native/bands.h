/* Sends a SANE frame, band by band. */
#ifndef PLATEN_SANE_BANDS_H
#define PLATEN_SANE_BANDS_H

#include <stdint.h>

#include "verbs.h"

enum { SMALLEST_BAND = 4096, DEFAULT_BAND = 1 << 20, LARGEST_BAND = 4 << 20 };

struct bands {
  const struct platen_request *request;
  size_t size;   /* the largest band */
  size_t sample; /* bytes: 2 at depth 16, or 1 */
  bool high;     /* keep only the high byte of two */
  uint64_t sent; /* bytes */
};

/* Takes whole units from the buffer and returns the number of bytes taken. It may change these, and put another buffer of the same size in its place. */
typedef size_t taker(void *context, unsigned char **buffer, size_t length);

/* Calls sane_start, unless a cancel came first. */
SANE_Status start_frame(const struct platen_request *request);
/* Reads to the end of the frame. GOOD: all of it was taken. `buffer` has `size` bytes, and is passed on when it is full or some time has passed. */
SANE_Status pump(const struct platen_request *request, unsigned char *buffer, size_t size, taker *take, void *context);

/* Keeps the high bytes of 16-bit samples, in place. Returns their number. */
size_t keep_high(unsigned char *bytes, size_t length);

SANE_Status read_frame(struct bands *bands);
/* Reads three frames, the first of which has been started; `parameters` are the first one's. `doing` receives the action that failed. */
SANE_Status merge_frames(struct bands *bands, const SANE_Parameters *parameters, char *doing, size_t doing_size);

#endif
