/* A scan: start, parameters, and read, which passes the backend's data on in bands. */
#include "bands.h"

static bool started;

void scan_over(void) { started = false; }

void verb_start(const struct platen_request *request, struct answer *answer) {
  if (is_cancelled(request)) return fail(answer, SANE_STATUS_CANCELLED, "starting a scan");
  SANE_Status status = start_frame(request);
  started = status == SANE_STATUS_GOOD;
  if (!started) fail(answer, status, "starting a scan");
}

static const char *format_name(SANE_Frame format, char *room, size_t size) {
  static const char *const names[] = {"gray", "rgb", "red", "green", "blue"};
  if ((unsigned)format < 5) return names[format];
  snprintf(room, size, "unknown-%d", (int)format);
  return room;
}

void verb_parameters(const struct platen_request *request, struct answer *answer) {
  (void)request;
  char room[24];
  SANE_Parameters now = {0};
  SANE_Status status = sane.get_parameters(device(), &now);
  if (status != SANE_STATUS_GOOD) return fail(answer, status, "reading the parameters");
  platen_json_string(&answer->fields, "format", format_name(now.format, room, sizeof room));
  platen_json_bool(&answer->fields, "lastFrame", now.last_frame);
  platen_json_number(&answer->fields, "bytesPerLine", now.bytes_per_line);
  platen_json_number(&answer->fields, "pixelsPerLine", now.pixels_per_line);
  platen_json_number(&answer->fields, "lines", now.lines);
  platen_json_number(&answer->fields, "depth", now.depth);
}

/* The shared part of read and merge. False: refused or failed. */
static bool begin(const struct platen_request *request, struct bands *bands, SANE_Parameters *parameters, struct answer *answer) {
  double size = DEFAULT_BAND;
  const char *sample = "all";
  if (!number_argument(request, "bandBytes", &size, false, answer)) return false;
  if (has_argument(request, "sample") && (sample = string_argument(request, "sample", answer)) == NULL) return false;
  bool high = strcmp(sample, "high") == 0;
  if (!(size >= SMALLEST_BAND && size <= LARGEST_BAND) || size != (double)(size_t)size)
    return refuse(answer, "bandBytes must be an integer from %d to %d", SMALLEST_BAND, LARGEST_BAND), false;
  if (!high && strcmp(sample, "all") != 0) return refuse(answer, "sample must be \"all\" or \"high\""), false;
  if (is_cancelled(request)) return fail(answer, SANE_STATUS_CANCELLED, "reading a page"), false;
  if (!started) return refuse(answer, "no scan was started: start first"), false;
  SANE_Status status = sane.get_parameters(device(), parameters);
  if (status != SANE_STATUS_GOOD) return fail(answer, status, "reading the parameters"), false;
  *bands = (struct bands){.request = request, .size = (size_t)size, .sample = parameters->depth == 16 ? 2 : 1};
  bands->high = high && bands->sample == 2;
  if (bands->high && parameters->bytes_per_line % 2 != 0) return fail(answer, SANE_STATUS_INVAL, "halving 16-bit lines of %d bytes", parameters->bytes_per_line), false;
  return true;
}

/* The last frame of read and merge. */
static void finish(struct answer *answer, SANE_Status status, const struct bands *bands, int bytes_per_line, const char *doing) {
  started = false; /* in any case: the next frame needs a start */
  if (status != SANE_STATUS_GOOD) return fail(answer, status, "%s", doing);
  platen_json_number(&answer->fields, "bytes", (double)bands->sent);
  platen_json_number(&answer->fields, "bytesPerLine", bands->high ? bytes_per_line / 2 : bytes_per_line);
}

void verb_read(const struct platen_request *request, struct answer *answer) {
  struct bands bands;
  SANE_Parameters parameters = {0};
  if (!begin(request, &bands, &parameters, answer)) return;
  SANE_Status status = read_frame(&bands);
  finish(answer, status, &bands, parameters.bytes_per_line, "reading the page");
}

void verb_merge(const struct platen_request *request, struct answer *answer) {
  struct bands bands;
  SANE_Parameters parameters = {0};
  char doing[64] = "reading the first colour";
  if (!begin(request, &bands, &parameters, answer)) return;
  if (parameters.format != SANE_FRAME_RED && parameters.format != SANE_FRAME_GREEN && parameters.format != SANE_FRAME_BLUE)
    return refuse(answer, "merge is for a page in three passes; use read for this one");
  SANE_Status status = merge_frames(&bands, &parameters, doing, sizeof doing);
  finish(answer, status, &bands, parameters.bytes_per_line * 3, doing);
}
