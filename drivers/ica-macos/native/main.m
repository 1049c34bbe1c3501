/*
 * platen-ica-helper: ImageCaptureCore behind the frames of @platen/driver-kit. VERBS.md describes the verbs; the policy is in TypeScript.
 *
 * The main thread runs the run loop, on which ImageCaptureCore calls back. Other threads read the requests from stdin, and each request is
 * handed to the main thread, where its verb runs without waiting for anything.
 */
#include "platen_helper.h"
#import "verbs.h"

static Ica *ica;

@implementation Ica
@end

/* ---- frames ---- */

void begin_frame(platen_json *header, double call, BOOL more) {
  platen_request request = {.id = call};
  platen_begin(header, &request, more);
}

void send_frame(platen_json *header, const void *data, size_t length) { platen_send(header, data, length); }

void answer(double call) {
  platen_request request = {.id = call};
  platen_ok(&request);
}

void refuse(double call, const char *status, NSString *message) {
  platen_request request = {.id = call};
  platen_error(&request, status, [message UTF8String]);
}

static NSString *words_of(NSError *error) {
  NSString *words = [error localizedDescription];
  return words == nil ? [error domain] : words;
}

void refuse_error(double call, NSError *error) { refuse(call, [[NSString stringWithFormat:@"%ld", (long)[error code]] UTF8String], words_of(error)); }

void add_text(platen_json *header, const char *key, NSString *text) { platen_json_string(header, key, [text UTF8String]); }

void add_error(platen_json *header, NSError *error) {
  add_text(header, "status", error == nil ? @"" : [NSString stringWithFormat:@"%ld", (long)[error code]]);
  add_text(header, "message", error == nil ? @"" : words_of(error));
}

BOOL begin_event(Ica *of, platen_json *header, const char *event) {
  if (of->waiting[EVENTS] == 0) return NO;
  begin_frame(header, of->waiting[EVENTS], YES);
  platen_json_string(header, "event", event);
  return YES;
}

/* ---- requests ---- */

double over(Ica *of, enum step step) {
  double call = of->waiting[step];
  of->waiting[step] = 0;
  return call;
}

BOOL wait_for(Ica *of, enum step step, double call) {
  if (of->waiting[step] != 0) return refuse(call, "BAD_REQUEST", @"requested already"), NO;
  of->waiting[step] = call;
  return YES;
}

NSString *text_argument(const platen_request *request, const char *name) {
  const char *text = platen_arg_string(request, name, NULL);
  return text == NULL ? nil : [NSString stringWithUTF8String:text];
}

BOOL number_argument(const platen_request *request, const char *name, double *number) {
  const platen_value *value = platen_find(request->args, request->count, name);
  if (value == NULL || (value->type != PLATEN_NUMBER && value->type != PLATEN_BOOL)) return NO;
  *number = value->number;
  return YES;
}

BOOL count_argument(const platen_request *request, const char *name, NSUInteger *count) {
  double number;
  if (!number_argument(request, name, &number) || !(number >= 0 && number <= UINT32_MAX)) return NO;
  *count = (NSUInteger)number;
  return YES;
}

static const struct {
  const char *name;
  verb *run;
} table[] = {
    {"events", verb_events}, {"quiet", verb_quiet}, {"browse", verb_browse}, {"open", verb_open},
    {"ready", verb_ready},   {"select", verb_select}, {"describe", verb_describe}, {"set", verb_set},
    {"features", verb_features}, {"feature", verb_feature},
    {"scan", verb_scan},     {"cancel", verb_cancel}, {"close", verb_close},
};
enum { VERBS = sizeof table / sizeof *table };

/* A request that threw has no other answer. */
static void answer_exception(const platen_request *request, NSException *thrown) {
  for (int step = 0; step < STEPS; step++) if (ica->waiting[step] == request->id) ica->waiting[step] = 0;
  refuse(request->id, "EXCEPTION", [NSString stringWithFormat:@"%@: %@", [thrown name], [thrown reason]]);
}

@interface Ica (Main)
@end

@implementation Ica (Main)
/* On the main thread. */
- (void)run:(NSValue *)pointer {
  const platen_request *request = [pointer pointerValue];
  size_t i = 0;
  while (strcmp(table[i].name, request->verb) != 0) i++; /* platen_serve found it in the list made from this table */
  @try {
    table[i].run(self, request, request->id);
  } @catch (NSException *thrown) {
    answer_exception(request, thrown);
  }
}

/* The service has ended. This process ends when the session is closed, or after the header's time limit. */
- (void)leave {
  isLeaving = YES;
  @try {
    if (waiting[SCAN] != 0) [scanner cancelScan];
    [browser stop];
    if (scanner != nil) {
      [scanner requestCloseSession];
      return;
    }
  } @catch (NSException *thrown) {
    NSLog(@"leaving: %@", thrown);
  }
  exit(0);
}

- (void)serve:(id)nothing {
  NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
  platen_verb verbs[VERBS];
  void hand_over(const platen_request *request);
  for (size_t i = 0; i < VERBS; i++) verbs[i] = (platen_verb){table[i].name, hand_over, 0};
  platen_serve(verbs, VERBS, NULL);
  [self performSelectorOnMainThread:@selector(leave) withObject:nil waitUntilDone:NO];
  (void)nothing;
  [pool drain];
}

- (void)stay:(NSTimer *)timer {
  (void)timer;
}
@end

/* The request is freed when its verb returns: a later answer needs only its id. */
void hand_over(const platen_request *request) {
  NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
  [ica performSelectorOnMainThread:@selector(run:) withObject:[NSValue valueWithPointer:request] waitUntilDone:YES];
  [pool drain];
}

int main(void) {
  NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
  platen_start("ica", NULL);
  ica = [[Ica alloc] init];
  ica->devices = [[NSMutableDictionary alloc] init];
  /* A run loop without sources returns at once. */
  [NSTimer scheduledTimerWithTimeInterval:1e9 target:ica selector:@selector(stay:) userInfo:nil repeats:YES];
  [NSThread detachNewThreadSelector:@selector(serve:) toTarget:ica withObject:nil];
  [pool drain];
  /* Outside AppKit, a pool for each pass of the loop is not guaranteed. */
  for (;;) {
    pool = [[NSAutoreleasePool alloc] init];
    [[NSRunLoop currentRunLoop] runMode:NSDefaultRunLoopMode beforeDate:[NSDate distantFuture]];
    [pool drain];
  }
}
