/* Finds scanners: `browse`, and the events of scanners that come and go. */
#import "verbs.h"

NSString *identity(ICDevice *device) {
  NSString *persistent = [device persistentIDString], *unique = [device UUIDString];
  if ([persistent length] > 0) return persistent;
  return [unique length] > 0 ? unique : [device name];
}

static void tell_added(Ica *ica, ICDevice *device, BOOL coming) {
  platen_json header = {0};
  if (!begin_event(ica, &header, "added")) return;
  add_text(&header, "device", identity(device));
  add_text(&header, "name", [device name]);
  add_text(&header, "transport", [device transportType]);
  add_text(&header, "location", [device locationDescription]);
  platen_json_bool(&header, "coming", coming);
  send_frame(&header, NULL, 0);
}

void verb_events(Ica *ica, const struct platen_request *request, double call) {
  (void)request;
  if (!wait_for(ica, EVENTS, call)) return;
  for (NSString *each in [ica->devices allKeys]) tell_added(ica, [ica->devices objectForKey:each], YES);
}

void verb_quiet(Ica *ica, const struct platen_request *request, double call) {
  (void)request;
  double listening = over(ica, EVENTS);
  if (listening != 0) answer(listening);
  answer(call);
}

void verb_browse(Ica *ica, const struct platen_request *request, double call) {
  double network = 0;
  number_argument(request, "network", &network);
  if (ica->browser == nil) {
    NSUInteger where = (NSUInteger)ICDeviceLocationTypeMaskLocal | (network != 0 ? (NSUInteger)ICDeviceLocationTypeMaskRemote : 0);
    ica->browser = [[ICDeviceBrowser alloc] init];
    [ica->browser setDelegate:ica];
    [ica->browser setBrowsedDeviceTypeMask:(ICDeviceTypeMask)((NSUInteger)ICDeviceTypeMaskScanner | where)];
    [ica->browser start];
  }
  platen_json header = {0};
  begin_frame(&header, call, NO);
  platen_json_number(&header, "count", [ica->devices count]);
  send_frame(&header, NULL, 0);
}

static void tell_removed(Ica *ica, NSString *name) {
  platen_json header = {0};
  if (!begin_event(ica, &header, "removed")) return;
  add_text(&header, "device", name);
  send_frame(&header, NULL, 0);
}

@implementation Ica (Browser)
- (void)deviceBrowser:(ICDeviceBrowser *)from didAddDevice:(ICDevice *)device moreComing:(BOOL)moreComing {
  (void)from;
  NSString *name = identity(device);
  if (((NSUInteger)[device type] & (NSUInteger)ICDeviceTypeMaskScanner) == 0 || name == nil) return;
  [devices setObject:device forKey:name];
  tell_added(self, device, moreComing);
}

- (void)deviceBrowser:(ICDeviceBrowser *)from didRemoveDevice:(ICDevice *)device moreGoing:(BOOL)moreGoing {
  (void)from, (void)moreGoing;
  /* Finds it by the name that it was added with. */
  for (NSString *name in [devices allKeysForObject:device]) {
    tell_removed(self, name);
    [devices removeObjectForKey:name];
  }
  if (device == scanner) [self lose];
}

- (void)deviceBrowserDidEnumerateLocalDevices:(ICDeviceBrowser *)from {
  (void)from;
  platen_json header = {0};
  if (begin_event(self, &header, "enumerated")) send_frame(&header, NULL, 0);
}
@end
