/*
 * acme-f100-helper: your SDK behind requests and frames. No policy: what to ask, how long to wait and what an error means is
 * in TypeScript. Yours: the body of each verb; what a verb gets and answers stands above it. platen_helper.h has the rules.
 */
#include "platen_helper.h"
#include "acme_sdk.h"

#define MOST_DEVICES 32

static acme_device *device; /* the open one: a helper has at most one */
static unsigned char *band;

/* Answers with the SDK's own name of the failure, such as "ACME_JAM": src/errors.ts says what it means. */
static void fail(const platen_request *request, acme_status status) {
  char words[100];
  snprintf(words, sizeof words, "\"%.40s\" failed", request->verb);
  platen_error(request, acme_name_of(status), words);
}

static int is_open(const platen_request *request) {
  if (!device) platen_error(request, "NOT_OPEN", "open a scanner first");
  return device != NULL;
}

/* Whether the program and the SDK start: it touches no scanner. */
static void ready(const platen_request *request) { platen_ok(request); }

/* Yours: the connected scanners. Answers devices: [{ id, name }]; the id is the same each time, such as a serial number. */
static void list(const platen_request *request) {
  platen_json header = {0};
  acme_info infos[MOST_DEVICES];
  int i, count;
  acme_status status = acme_list(infos, MOST_DEVICES, &count);
  if (status != ACME_OK) { fail(request, status); return; }
  platen_begin(&header, request, 0);
  platen_json_open(&header, "devices", '[');
  for (i = 0; i < count; i++) {
    platen_json_open(&header, NULL, '{');
    platen_json_string(&header, "id", infos[i].id); /* as a field of the answer itself, "id" is reserved */
    platen_json_string(&header, "name", infos[i].name);
    platen_json_close(&header, '}');
  }
  platen_json_close(&header, ']');
  platen_send(&header, NULL, 0);
}

/* Gets device: an id. Answers its name, and options: [{ name, title, type, minimum, maximum, initial }] */
static void open_device(const platen_request *request) {
  platen_json header = {0};
  const acme_option *options;
  int i, count;
  acme_status status;
  if (device) { platen_error(request, "ALREADY_OPEN", "this helper has a scanner open"); return; }
  status = acme_open(platen_arg_string(request, "device", ""), &device);
  if (status != ACME_OK) { fail(request, status); return; }
  options = acme_options(device, &count);
  platen_begin(&header, request, 0);
  platen_json_string(&header, "name", acme_device_name(device));
  platen_json_open(&header, "options", '[');
  for (i = 0; i < count; i++) {
    platen_json_open(&header, NULL, '{');
    platen_json_string(&header, "name", options[i].name);
    platen_json_string(&header, "title", options[i].title);
    platen_json_string(&header, "type", options[i].type == ACME_BOOLEAN ? "boolean" : "integer");
    platen_json_number(&header, "minimum", options[i].minimum);
    platen_json_number(&header, "maximum", options[i].maximum);
    platen_json_number(&header, "initial", options[i].initial);
    platen_json_close(&header, '}');
  }
  platen_json_close(&header, ']');
  platen_send(&header, NULL, 0);
}

/* Answers loaded: whether paper is in the feeder. */
static void paper(const platen_request *request) {
  platen_json header = {0};
  int loaded;
  acme_status status;
  if (!is_open(request)) return;
  if ((status = acme_paper(device, &loaded)) != ACME_OK) { fail(request, status); return; }
  platen_begin(&header, request, 0);
  platen_json_bool(&header, "loaded", loaded);
  platen_send(&header, NULL, 0);
}

/* Gets values of options, by their names. */
static void set(const platen_request *request) {
  acme_status status = ACME_OK;
  size_t i;
  if (!is_open(request)) return;
  for (i = 0; i < request->count && status == ACME_OK; i++)
    status = acme_set(device, request->args[i].key, platen_arg_int(request, request->args[i].key, 0));
  if (status != ACME_OK) fail(request, status);
  else platen_ok(request);
}

/*
 * Feeds the next sheet, or sends the back of the one that was fed. Gets dpi, mode, flatbed, duplex, width and height in pixels.
 * Answers the size of the page in a frame; then frames with bands of its pixels, at: bytes from its start; then an end.
 */
static void page(const platen_request *request) {
  platen_json header = {0};
  acme_settings settings;
  acme_page fed;
  acme_status status;
  size_t at = 0, length = 0;
  if (!is_open(request)) return;
  settings.dpi = platen_arg_int(request, "dpi", 0);
  settings.mode = (acme_mode)platen_arg_int(request, "mode", ACME_GRAY);
  settings.flatbed = platen_arg_int(request, "flatbed", 0);
  settings.duplex = platen_arg_int(request, "duplex", 0);
  settings.width = platen_arg_int(request, "width", 0);
  settings.height = platen_arg_int(request, "height", 0);
  if ((status = acme_feed(device, &settings, &fed)) != ACME_OK) { fail(request, status); return; }
  platen_begin(&header, request, 1);
  platen_json_number(&header, "width", fed.width);
  platen_json_number(&header, "height", fed.height);
  platen_json_number(&header, "stride", fed.stride);
  if (!platen_send(&header, NULL, 0)) return;
  while (!platen_left() && (status = acme_read(device, band, PLATEN_BAND, &length)) == ACME_OK) {
    platen_begin(&header, request, 1);
    platen_json_number(&header, "at", (double)at);
    if (!platen_send(&header, band, length)) return;
    at += length;
  }
  if (status == ACME_END) platen_ok(request);
  else fail(request, status);
}

/* The scan has ended: nothing more is fed. */
static void end(const platen_request *request) {
  if (!is_open(request)) return;
  acme_end(device);
  platen_ok(request);
}

/* Urgent: it runs on another thread while `page` reads. Your SDK must allow that; if not, leave it out: see the guide. */
static void cancel(const platen_request *request) {
  acme_device *running = device;
  if (running) acme_cancel(running);
  platen_ok(request);
}

/* The service has ended: makes a call that blocks return. */
static void leaving(void) {
  if (device) acme_cancel(device);
}

/* 1: urgent */
static const platen_verb verbs[] = {
  {"ready", ready, 0}, {"list", list, 0}, {"open", open_device, 0}, {"paper", paper, 0}, {"set", set, 0},
  {"page", page, 0},   {"end", end, 0},   {"cancel", cancel, 1},
};

int main(void) {
  band = (unsigned char *)malloc(PLATEN_BAND);
  if (!band) return 1;
  platen_start("acme-f100", NULL);
  platen_serve(verbs, sizeof verbs / sizeof verbs[0], leaving);
  if (device) acme_close(device);
  free(band);
  return 0;
}
