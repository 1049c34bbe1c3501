/*
 * What the helper's files share: the one object that ImageCaptureCore calls, requests that wait for an answer, and frames. VERBS.md is the
 * description. Manual retain and release throughout: GNUstep under gcc has no ARC, and on macOS it is switched off (-fno-objc-arc).
 */
#import <Foundation/Foundation.h>
#import <ImageCaptureCore/ImageCaptureCore.h>

#include "platen_json.h"

struct platen_request;

/* What is answered later, when ImageCaptureCore calls back. */
enum step { EVENTS, OPEN, READY, SELECT, SCAN, CLOSE, STEPS };

@interface Ica : NSObject {
@public
  double waiting[STEPS]; /* ids of requests; 0: nobody waits */
  ICDeviceBrowser *browser;
  NSMutableDictionary *devices; /* scanners, by id */
  ICScannerDevice *scanner;     /* from open until its session is closed, or did not open */
  BOOL isReady, isLeaving;
  ICScannerFunctionalUnitType wanted; /* what `select` asked for */
  double pages, most, every;          /* of the scan: that came whole, and after which it is cancelled (0: none is) */
}
@end

@interface Ica (Browser) <ICDeviceBrowserDelegate>
@end

@interface Ica (Session) <ICScannerDeviceDelegate>
- (void)letGo;
/* The open scanner is gone. */
- (void)lose;
@end

/* Verbs: on the main thread, in a request's @try. */
typedef void verb(Ica *ica, const struct platen_request *request, double call);
verb verb_events, verb_quiet, verb_browse;
verb verb_open, verb_ready, verb_select, verb_close;
verb verb_describe, verb_set, verb_scan, verb_cancel;

/* Arguments. NULL, nil or `absent` where there is none of this type. */
NSString *text_argument(const struct platen_request *request, const char *name);
BOOL number_argument(const struct platen_request *request, const char *name, double *number);

/* Answers. A header is begun, filled and sent; `more`: another frame of the answer follows. */
void begin_frame(platen_json *header, double call, BOOL more);
void send_frame(platen_json *header, const void *data, size_t length);
void answer(double call);
void refuse(double call, const char *status, NSString *message);
/* With an NSError's code and words. */
void refuse_error(double call, NSError *error);
void add_error(platen_json *header, NSError *error);
void add_text(platen_json *header, const char *key, NSString *text);

/* An event begins where somebody listens; false: nobody does. It is ended by send_frame. */
BOOL begin_event(Ica *ica, platen_json *header, const char *event);
/* The id of a request that waits for this step, which is then over; 0: none. */
double over(Ica *ica, enum step step);
/* Whether the request may wait; refused already where another one does. */
BOOL wait_for(Ica *ica, enum step step, double call);

NSString *identity(ICDevice *device);
/* The open scanner; refused already where there is none. */
ICScannerDevice *open_scanner(Ica *ica, double call);
/* Its selected unit; refused already where there is none. */
ICScannerFunctionalUnit *selected_unit(Ica *ica, double call);
void describe(platen_json *header, ICScannerDevice *scanner);
void send_band(double call, ICScannerBandData *band);
/* A page came whole. */
void page_done(Ica *ica);
