/* Reads one SANE frame in the backend's portions, and sends it in bands. */
#include "bands.h"

#include <time.h>

/* After this long a slow scanner's band is sent incomplete, to show progress. */
enum { PATIENCE_MS = 250 };
/* A backend that returns no data without blocking is called again after this long. */
enum { PAUSE_NS = 2000000 };

static long long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

SANE_Status start_frame(const struct platen_request *request) {
  SANE_Status status = sane.start(device());
  return is_cancelled(request) ? SANE_STATUS_CANCELLED : status;
}

SANE_Status pump(const struct platen_request *request, unsigned char *buffer, size_t size, taker *take, void *context) {
  SANE_Status status = SANE_STATUS_GOOD;
  long long last = now_ms();
  for (size_t fill = 0; status == SANE_STATUS_GOOD;) {
    SANE_Int length = 0;
    if (is_cancelled(request)) return SANE_STATUS_CANCELLED;
    status = sane.read(device(), buffer + fill, (SANE_Int)(size - fill), &length);
    if (status == SANE_STATUS_GOOD && length == 0) nanosleep(&(struct timespec){0, PAUSE_NS}, NULL);
    if (status == SANE_STATUS_GOOD) fill += (size_t)length;
    if (fill == 0 || (status == SANE_STATUS_GOOD && fill < size && now_ms() - last < PATIENCE_MS)) continue;
    size_t taken = take(context, buffer, fill);
    memmove(buffer, buffer + taken, fill - taken);
    fill -= taken;
    last = now_ms();
  }
  /* After a cancel, backends return any status, even the end of the page. */
  if (is_cancelled(request)) return SANE_STATUS_CANCELLED;
  return status == SANE_STATUS_EOF ? SANE_STATUS_GOOD : status;
}

size_t keep_high(unsigned char *bytes, size_t length) {
  const uint16_t one = 1;
  size_t high = *(const unsigned char *)&one; /* little-endian: the second byte */
  for (size_t i = 0; i < length / 2; i++) bytes[i] = bytes[i * 2 + high];
  return length / 2;
}

static size_t send_band(void *context, unsigned char *bytes, size_t length) {
  struct bands *bands = context;
  size_t taken = bands->high ? length & ~(size_t)1 : length;
  size_t kept = bands->high ? keep_high(bytes, taken) : taken;
  if (kept > 0) send_more(bands->request, 0, bytes, kept);
  bands->sent += kept;
  return taken;
}

SANE_Status read_frame(struct bands *bands) {
  unsigned char *buffer = malloc(bands->size);
  if (buffer == NULL) return SANE_STATUS_NO_MEM;
  SANE_Status status = pump(bands->request, buffer, bands->size, send_band, bands);
  free(buffer);
  return status;
}
