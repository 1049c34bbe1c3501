/*
 * Shared by the helper's files: the object that ImageCaptureCore calls, pending requests, and frames. VERBS.md is the
 * description. Manual retain and release throughout: GNUstep under gcc has no ARC, and on macOS it is switched off (-fno-objc-arc).
 */
#import <Foundation/Foundation.h>
#import <ImageCaptureCore/ImageCaptureCore.h>

#include "platen_json.h"

struct platen_request;

/* Steps that are answered later, when ImageCaptureCore calls back. */
enum step { EVENTS, OPEN, READY, SELECT, SCAN, CLOSE, STEPS };

@interface Ica : NSObject {
@public
  double waiting[STEPS]; /* ids of pending requests; 0: none */
  ICDeviceBrowser *browser;
  NSMutableDictionary *devices; /* scanners, by id */
  ICScannerDevice *scanner;     /* from `open` until its session is closed or failed to open */
  BOOL isReady, isLeaving;
  ICScannerFunctionalUnitType wanted; /* the type that `select` requested */
  double pages, most, every;          /* of the scan: complete pages, and the limits after which it is cancelled (0: no limit) */
}
@end

@interface Ica (Browser) <ICDeviceBrowserDelegate>
@end

@interface Ica (Session) <ICScannerDeviceDelegate>
- (void)letGo;
/* The open scanner was disconnected. */
- (void)lose;
@end

/* Verbs: run on the main thread, in a request's @try. */
typedef void verb(Ica *ica, const struct platen_request *request, double call);
verb verb_events, verb_quiet, verb_browse;
verb verb_open, verb_ready, verb_select, verb_close;
verb verb_describe, verb_set, verb_features, verb_feature, verb_scan, verb_cancel;

/* Arguments. NULL, nil or `absent` if there is none of this type. */
NSString *text_argument(const struct platen_request *request, const char *name);
BOOL number_argument(const struct platen_request *request, const char *name, double *number);
/* Of a number from 0 to 4294967295, without its fraction: no other is one of Apple's. */
BOOL count_argument(const struct platen_request *request, const char *name, NSUInteger *count);

/* Answers. Begin a header, fill it and send it; `more`: another frame of the answer follows. */
void begin_frame(platen_json *header, double call, BOOL more);
void send_frame(platen_json *header, const void *data, size_t length);
void answer(double call);
void refuse(double call, const char *status, NSString *message);
/* With an NSError's code and message. */
void refuse_error(double call, NSError *error);
void add_error(platen_json *header, NSError *error);
void add_text(platen_json *header, const char *key, NSString *text);

/* Begins an event; false: no request listens. send_frame ends it. */
BOOL begin_event(Ica *ica, platen_json *header, const char *event);
/* Ends this step and returns the id of the request that waits for it; 0: none. */
double over(Ica *ica, enum step step);
/* Whether the request may wait. If another one already waits, it has been refused. */
BOOL wait_for(Ica *ica, enum step step, double call);

NSString *identity(ICDevice *device);
/* The open scanner. If there is none, the request has been refused. */
ICScannerDevice *open_scanner(Ica *ica, double call);
/* Its selected unit. If there is none, the request has been refused. */
ICScannerFunctionalUnit *selected_unit(Ica *ica, double call);
void describe(platen_json *header, ICScannerDevice *scanner);
void send_band(double call, ICScannerBandData *band);
/* A page is complete. */
void page_done(Ica *ica);
