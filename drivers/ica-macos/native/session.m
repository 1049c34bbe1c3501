/* A session with a scanner: open, ready, select, close, and ImageCaptureCore's reports during it. */
#import "verbs.h"

ICScannerDevice *open_scanner(Ica *ica, double call) {
  if (ica->scanner == nil) refuse(call, "BAD_REQUEST", @"no scanner is open");
  return ica->scanner;
}

void verb_open(Ica *ica, const struct platen_request *request, double call) {
  NSString *device = text_argument(request, "device");
  ICScannerDevice *found = device == nil ? nil : [ica->devices objectForKey:device];
  if (ica->scanner != nil) return refuse(call, "BAD_REQUEST", @"a scanner is open already");
  if (found == nil) return refuse(call, "NOT_FOUND", @"the scanner was not found");
  ica->scanner = [found retain];
  ica->isReady = NO;
  ica->waiting[OPEN] = call;
  [found setDelegate:ica];
  @try {
    [found requestOpenSession];
  } @catch (NSException *thrown) {
    [ica letGo];
    @throw;
  }
}

void verb_ready(Ica *ica, const struct platen_request *request, double call) {
  (void)request;
  if (open_scanner(ica, call) == nil) return;
  if (ica->isReady) answer(call);
  else wait_for(ica, READY, call);
}

void verb_select(Ica *ica, const struct platen_request *request, double call) {
  NSUInteger unit;
  ICScannerDevice *scanner = open_scanner(ica, call);
  if (scanner == nil) return;
  if (!count_argument(request, "unit", &unit)) return refuse(call, "BAD_REQUEST", @"\"unit\" must be a number");
  if (!wait_for(ica, SELECT, call)) return;
  ica->wanted = (ICScannerFunctionalUnitType)unit;
  [scanner requestSelectFunctionalUnit:ica->wanted];
}

void verb_close(Ica *ica, const struct platen_request *request, double call) {
  (void)request;
  if (ica->scanner == nil) return answer(call);
  if (wait_for(ica, CLOSE, call)) [ica->scanner requestCloseSession];
}

/* Answers all requests that wait for a scanner that disappeared. */
static void refuse_all(Ica *ica, const char *status, NSError *error) {
  for (int step = OPEN; step <= CLOSE; step++) {
    double call = over(ica, (enum step)step);
    if (call == 0) continue;
    if (step == CLOSE) answer(call);
    else if (error != nil) refuse_error(call, error);
    else refuse(call, status, @"the scanner was disconnected");
  }
}

static void tell(Ica *ica, const char *event, NSError *error) {
  platen_json header = {0};
  if (!begin_event(ica, &header, event)) return;
  add_error(&header, error);
  send_frame(&header, NULL, 0);
}

@implementation Ica (Session)
- (void)letGo {
  [scanner setDelegate:nil];
  [scanner autorelease]; /* it may be the caller */
  scanner = nil;
  isReady = NO;
  if (isLeaving) exit(0);
}

- (void)device:(ICDevice *)device didOpenSessionWithError:(NSError *)error {
  (void)device;
  double call = over(self, OPEN);
  if (error != nil) [self letGo];
  if (call == 0) return;
  if (error != nil) refuse_error(call, error);
  else answer(call);
}

- (void)deviceDidBecomeReady:(ICDevice *)device {
  (void)device;
  isReady = YES;
  double call = over(self, READY);
  if (call != 0) answer(call);
}

- (void)device:(ICDevice *)device didCloseSessionWithError:(NSError *)error {
  (void)device;
  if (waiting[CLOSE] == 0) tell(self, "closed", error);
  refuse_all(self, "CLOSED", error);
  [self letGo];
}

- (void)lose {
  refuse_all(self, "REMOVED", nil);
  [self letGo];
}

/* The browser also reports this, earlier or later: the first report counts. */
- (void)didRemoveDevice:(ICDevice *)device {
  [self deviceBrowser:browser didRemoveDevice:device moreGoing:NO];
}

- (void)device:(ICDevice *)device didReceiveStatusInformation:(NSDictionary *)status {
  (void)device;
  platen_json header = {0};
  if (!begin_event(self, &header, "status")) return;
  add_text(&header, "code", [[status objectForKey:ICStatusNotificationKey] description]);
  add_text(&header, "message", [[status objectForKey:ICLocalizedStatusNotificationKey] description]);
  send_frame(&header, NULL, 0);
}

- (void)device:(ICDevice *)device didEncounterError:(NSError *)error {
  (void)device;
  tell(self, "error", error);
}

- (void)scannerDeviceDidBecomeAvailable:(ICScannerDevice *)available {
  platen_json header = {0};
  if (!begin_event(self, &header, "available")) return;
  add_text(&header, "device", identity(available));
  send_frame(&header, NULL, 0);
}

/* Also called without a request, after opening. The answer to a request is the unit of the wanted type, an error, or no unit. */
- (void)scannerDevice:(ICScannerDevice *)from didSelectFunctionalUnit:(ICScannerFunctionalUnit *)unit error:(NSError *)error {
  platen_json header = {0};
  BOOL isAnswer = waiting[SELECT] != 0 && (error != nil || unit == nil || [unit type] == wanted);
  if (isAnswer) {
    double call = over(self, SELECT);
    if (error != nil) return refuse_error(call, error);
    begin_frame(&header, call, NO);
    describe(&header, from);
    send_frame(&header, NULL, 0);
    return;
  }
  if (!begin_event(self, &header, "selected")) return;
  if (unit == nil) platen_json_null(&header, "unit");
  else platen_json_number(&header, "unit", [unit type]);
  add_error(&header, error);
  send_frame(&header, NULL, 0);
}

- (void)scannerDevice:(ICScannerDevice *)from didScanToURL:(NSURL *)url {
  (void)from;
  platen_json header = {0};
  if (waiting[SCAN] == 0) return;
  begin_frame(&header, waiting[SCAN], YES);
  add_text(&header, "file", [url path]);
  send_frame(&header, NULL, 0);
  page_done(self);
}

- (void)scannerDevice:(ICScannerDevice *)from didScanToBandData:(ICScannerBandData *)band {
  (void)from;
  if (waiting[SCAN] == 0) return;
  send_band(waiting[SCAN], band);
  if ([band dataStartRow] + [band dataNumRows] >= [band fullImageHeight]) page_done(self);
}

- (void)scannerDevice:(ICScannerDevice *)from didCompleteScanWithError:(NSError *)error {
  (void)from;
  double call = over(self, SCAN);
  if (call == 0) return;
  if (error != nil) refuse_error(call, error);
  else answer(call);
}
@end
