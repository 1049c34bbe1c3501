/*
 * Stands for the header of your SDK. Yours: the real one; acme_sdk.c then simulates those of its functions that helper.c
 * calls. The calls block, and only acme_cancel may come from another thread.
 */
#ifndef ACME_SDK_H
#define ACME_SDK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  ACME_OK,
  ACME_END, /* of the page's rows */
  ACME_NO_PAPER,
  ACME_JAM,
  ACME_DOUBLE_FEED,
  ACME_COVER_OPEN,
  ACME_OFFLINE,
  ACME_BUSY, /* another program has it open */
  ACME_NOT_FOUND,
  ACME_CANCELLED,
  ACME_INVALID,
  ACME_BROKEN
} acme_status;

typedef enum { ACME_BLACK_AND_WHITE, ACME_GRAY, ACME_COLOR } acme_mode;
typedef enum { ACME_BOOLEAN, ACME_INTEGER } acme_type;

typedef struct { char id[64], name[400]; } acme_info;
typedef struct { const char *name, *title; acme_type type; int minimum, maximum, initial; } acme_option;
typedef struct { int dpi, flatbed, duplex; acme_mode mode; int width, height; } acme_settings; /* width and height in pixels */
typedef struct { int width, height, stride, back; acme_mode mode; } acme_page;                 /* stride in bytes */

typedef struct acme_device acme_device;

const char *acme_name_of(acme_status status);             /* "ACME_JAM" */
acme_status acme_list(acme_info *infos, int room, int *count);
acme_status acme_open(const char *id, acme_device **device);
const char *acme_device_name(acme_device *device);
const acme_option *acme_options(acme_device *device, int *count);
acme_status acme_set(acme_device *device, const char *option, int value);
acme_status acme_paper(acme_device *device, int *loaded); /* the feeder's sensor */
/* The next side: from the feeder, the back of the last sheet or the front of another one. */
acme_status acme_feed(acme_device *device, const acme_settings *settings, acme_page *page);
/* At most `room` bytes of its rows; ACME_END after the last. */
acme_status acme_read(acme_device *device, unsigned char *rows, size_t room, size_t *length);
void acme_cancel(acme_device *device); /* acme_read returns ACME_CANCELLED */
void acme_end(acme_device *device);    /* of a scan: the next sheet is the first of another one */
void acme_close(acme_device *device);

#ifdef __cplusplus
}
#endif
#endif
