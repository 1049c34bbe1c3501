/*
 * A page in three passes: three frames of SANE, one for each colour, sent as one rgb picture.
 *
 * Two planes are kept in memory; each portion of the third is sent together with the same portion of the other two.
 * So one verb replaces three reads, and the caller needs no loop over pixels.
 */
#include "bands.h"

enum { PLANES = 3 };
/* A4 at 1200 dpi is 139 MB per plane, 278 MB with 16 bits. */
static const size_t MOST_BYTES = (size_t)1 << 30;

struct plane {
  bool seen;
  unsigned char *bytes;
  size_t length;
  size_t room;
};

struct merge {
  struct bands *bands;
  struct plane planes[PLANES]; /* red, green, blue; in the third pass the current one has no bytes */
  int pass;                    /* from 1 */
  int colour;                  /* of the current pass: 0 red, 1 green, 2 blue */
  unsigned char *out;
  bool full; /* out of memory */
};

static size_t keep_plane(void *context, unsigned char **buffer, size_t length) {
  struct merge *merge = context;
  struct plane *plane = &merge->planes[merge->colour];
  if (plane->length + length > plane->room) {
    size_t room = (plane->length + length) + plane->length / 2;
    unsigned char *grown = room > MOST_BYTES / 2 ? NULL : realloc(plane->bytes, room);
    if (grown == NULL) {
      merge->full = true;
      device_cancel();
      return length;
    }
    plane->bytes = grown;
    plane->room = room;
  }
  memcpy(plane->bytes + plane->length, *buffer, length);
  plane->length += length;
  send_more(merge->bands->request, merge->pass, NULL, 0);
  return length;
}

/* The number of bytes that all three colours have. */
static size_t common(const struct merge *merge, size_t length) {
  size_t done = merge->planes[merge->colour].length;
  for (int i = 0; i < PLANES; i++) {
    size_t left = merge->planes[i].length > done ? merge->planes[i].length - done : 0;
    if (i != merge->colour && left < length) length = left;
  }
  return length;
}

static size_t send_rgb(void *context, unsigned char **buffer, size_t length) {
  struct merge *merge = context;
  const unsigned char *bytes = *buffer;
  size_t unit = merge->bands->sample;
  size_t taken = length - length % unit;
  size_t use = common(merge, taken);
  size_t done = merge->planes[merge->colour].length;
  use -= use % unit;
  for (int colour = 0; colour < PLANES; colour++) {
    const unsigned char *from = colour == merge->colour ? bytes : merge->planes[colour].bytes + done;
    unsigned char *to = merge->out + (size_t)colour * unit;
    if (unit == 1)
      for (size_t i = 0; i < use; i++) to[i * 3] = from[i];
    else
      for (size_t i = 0; i < use; i += 2) to[i * 3] = from[i], to[i * 3 + 1] = from[i + 1];
  }
  size_t bytes_out = merge->bands->high ? keep_high(merge->out, use * PLANES) : use * PLANES;
  if (bytes_out > 0) send_more(merge->bands->request, 0, merge->out, bytes_out);
  merge->bands->sent += bytes_out;
  merge->planes[merge->colour].length += use;
  return taken;
}

/* Reads one pass, from after its sane_start to its end. */
static SANE_Status pass(struct merge *merge, const SANE_Parameters *first, unsigned char *buffer, char *doing, size_t doing_size) {
  static const char *const colours[] = {"red", "green", "blue"};
  SANE_Parameters now = {0};
  SANE_Status status = sane.get_parameters(device(), &now);
  if (status != SANE_STATUS_GOOD) return status;
  merge->colour = (int)now.format - (int)SANE_FRAME_RED;
  snprintf(doing, doing_size, "reading pass %d of 3", merge->pass);
  if (merge->colour < 0 || merge->colour >= PLANES) return SANE_STATUS_IO_ERROR;
  struct plane *plane = &merge->planes[merge->colour];
  bool early = now.last_frame && merge->pass < PLANES;
  bool other = now.bytes_per_line != first->bytes_per_line || now.depth != first->depth;
  const char *wrong = plane->seen ? "came twice" : early ? "was called the last one" : other ? "has lines of another size" : NULL;
  if (wrong != NULL) {
    snprintf(doing, doing_size, "pass %d of 3: %s %s", merge->pass, colours[merge->colour], wrong);
    return SANE_STATUS_IO_ERROR;
  }
  plane->seen = true;
  /* A third of a band. */
  if (merge->pass == PLANES) return pump(merge->bands->request, buffer, merge->bands->size / PLANES, send_rgb, merge);
  plane->room = now.lines > 0 ? (size_t)now.lines * (size_t)now.bytes_per_line : merge->bands->size;
  plane->bytes = plane->room > MOST_BYTES / 2 ? NULL : malloc(plane->room);
  if (plane->bytes == NULL) return SANE_STATUS_NO_MEM;
  status = pump(merge->bands->request, buffer, merge->bands->size, keep_plane, merge);
  return merge->full ? SANE_STATUS_NO_MEM : status;
}

SANE_Status merge_frames(struct bands *bands, const SANE_Parameters *parameters, char *doing, size_t doing_size) {
  struct merge merge = {.bands = bands, .pass = 1};
  unsigned char *buffer = malloc(bands->size);
  merge.out = malloc(bands->size);
  SANE_Status status = buffer == NULL || merge.out == NULL ? SANE_STATUS_NO_MEM : pass(&merge, parameters, buffer, doing, doing_size);
  for (merge.pass = 2; status == SANE_STATUS_GOOD && merge.pass <= PLANES; merge.pass++) {
    snprintf(doing, doing_size, "starting pass %d of 3", merge.pass);
    status = start_frame(bands->request);
    if (status == SANE_STATUS_GOOD) status = pass(&merge, parameters, buffer, doing, doing_size);
  }
  for (int i = 0; i < PLANES; i++) free(merge.planes[i].bytes);
  free(merge.out);
  free(buffer);
  return status;
}
