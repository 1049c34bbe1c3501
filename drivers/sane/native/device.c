/* The library and its one open device: init, devices, open, close, cancel. */
#include "verbs.h"

#include <pthread.h>

static bool initialised;
static SANE_Int version;
static const SANE_Device **listed;

/* Held while the handle is opened or closed, and while sane_cancel runs: a handle being closed is not cancelled. */
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static SANE_Handle handle;
static bool opened;

bool is_initialised(void) { return initialised; }
bool is_open(void) { return opened; }
SANE_Handle device(void) { return handle; }

void verb_init(const struct platen_request *request, struct answer *answer) {
  (void)request;
  if (!initialised) {
    /* No authentication callback: there is no one to ask, so a backend that requires a password returns ACCESS_DENIED. */
    SANE_Status status = sane.init(&version, NULL);
    if (status != SANE_STATUS_GOOD) return fail(answer, status, "initialising SANE");
    initialised = true;
  }
  char text[40];
  snprintf(text, sizeof text, "%d.%d.%d", SANE_VERSION_MAJOR(version), SANE_VERSION_MINOR(version), SANE_VERSION_BUILD(version));
  platen_json_number(&answer->fields, "versionCode", version);
  platen_json_string(&answer->fields, "version", text);
}

void verb_devices(const struct platen_request *request, struct answer *answer) {
  bool local = false;
  if (!bool_argument(request, "localOnly", &local, false, answer)) return;
  listed = NULL; /* a second call invalidates the first list */
  SANE_Status status = sane.get_devices(&listed, local ? SANE_TRUE : SANE_FALSE);
  if (status != SANE_STATUS_GOOD) return fail(answer, status, "listing the devices");
  int count = 0;
  platen_json_open(&answer->data, NULL, '[');
  for (; listed != NULL && listed[count] != NULL; count++) {
    platen_json_open(&answer->data, NULL, '{');
    platen_json_string(&answer->data, "name", listed[count]->name);
    platen_json_string(&answer->data, "vendor", listed[count]->vendor);
    platen_json_string(&answer->data, "model", listed[count]->model);
    platen_json_string(&answer->data, "type", listed[count]->type);
    platen_json_close(&answer->data, '}');
  }
  platen_json_close(&answer->data, ']');
  platen_json_number(&answer->fields, "count", count);
}

/* The name in the backend's own encoding. */
static const char *as_listed(const char *name) {
  for (const SANE_Device **at = listed; at != NULL && *at != NULL; at++)
    if ((*at)->name != NULL && same_text((*at)->name, name)) return (*at)->name;
  return name;
}

void verb_open(const struct platen_request *request, struct answer *answer) {
  const char *name = string_argument(request, "device", answer);
  if (name == NULL) return;
  if (opened) return refuse(answer, "a device is open already: close it first");
  SANE_Handle fresh = NULL;
  SANE_Status status = sane.open(as_listed(name), &fresh);
  if (status != SANE_STATUS_GOOD) return fail(answer, status, "opening \"%.200s\"", name);
  pthread_mutex_lock(&guard);
  handle = fresh;
  opened = true;
  pthread_mutex_unlock(&guard);
}

void device_cancel(void) {
  pthread_mutex_lock(&guard);
  if (opened) sane.cancel(handle);
  pthread_mutex_unlock(&guard);
}

void device_close(void) {
  pthread_mutex_lock(&guard);
  if (opened) sane.close(handle);
  opened = false;
  pthread_mutex_unlock(&guard);
}

void verb_close(const struct platen_request *request, struct answer *answer) {
  (void)request;
  (void)answer;
  device_close();
  scan_over();
}

void device_exit(void) {
  device_cancel();
  device_close();
  if (initialised) sane.exit();
}
