/* Reads one SANE frame in the backend's portions, and sends it in bands. */
#include "bands.h"

#include <pthread.h>
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
    unsigned char *filled = buffer;
    size_t taken = take(context, &buffer, fill);
    memmove(buffer, filled + taken, fill - taken);
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

/* Sends one band while the backend fills the next: else both wait for each other in turn, 10 ms of a page of 26 MB. */
struct relay {
  struct bands *bands;
  unsigned char *spare;
  pthread_mutex_t lock;
  pthread_cond_t change;
  unsigned char *band; /* being sent, or NULL */
  size_t length;
  bool over;
};

static void *send_bands(void *context) {
  struct relay *relay = context;
  pthread_mutex_lock(&relay->lock);
  for (;;) {
    while (relay->band == NULL && !relay->over) pthread_cond_wait(&relay->change, &relay->lock);
    if (relay->band == NULL) break;
    pthread_mutex_unlock(&relay->lock);
    send_more(relay->bands->request, 0, relay->band, relay->length);
    pthread_mutex_lock(&relay->lock);
    relay->band = NULL;
    pthread_cond_signal(&relay->change);
  }
  pthread_mutex_unlock(&relay->lock);
  return NULL;
}

static size_t relay_band(void *context, unsigned char **buffer, size_t length) {
  struct relay *relay = context;
  struct bands *bands = relay->bands;
  size_t taken = bands->high ? length & ~(size_t)1 : length;
  size_t kept = bands->high ? keep_high(*buffer, taken) : taken;
  if (kept == 0) return taken;
  pthread_mutex_lock(&relay->lock);
  while (relay->band != NULL) pthread_cond_wait(&relay->change, &relay->lock);
  unsigned char *spare = relay->spare;
  relay->spare = relay->band = *buffer; /* free again when the next band is given */
  relay->length = kept;
  pthread_cond_signal(&relay->change);
  pthread_mutex_unlock(&relay->lock);
  *buffer = spare;
  bands->sent += kept;
  return taken;
}

SANE_Status read_frame(struct bands *bands) {
  struct relay relay = {.bands = bands, .lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER};
  unsigned char *buffers = malloc(bands->size * 2);
  pthread_t sender;
  if (buffers == NULL) return SANE_STATUS_NO_MEM;
  relay.spare = buffers + bands->size;
  if (pthread_create(&sender, NULL, send_bands, &relay) != 0) {
    free(buffers);
    return SANE_STATUS_NO_MEM;
  }
  SANE_Status status = pump(bands->request, buffers, bands->size, relay_band, &relay);
  pthread_mutex_lock(&relay.lock);
  relay.over = true;
  pthread_cond_signal(&relay.change);
  pthread_mutex_unlock(&relay.lock);
  pthread_join(sender, NULL);
  free(buffers);
  return status;
}
