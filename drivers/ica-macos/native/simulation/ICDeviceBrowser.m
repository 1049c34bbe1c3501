/* Checks every 20 ms for folders that were added or removed. */
#import "body.h"
#include <stdlib.h>

@implementation ICDeviceBrowser
@synthesize delegate = _delegate, browsedDeviceTypeMask = _browsedDeviceTypeMask;

- (BOOL)isBrowsing {
  return _timer != nil;
}

- (NSArray *)devices {
  return [_known allValues];
}

- (void)start {
  if (_delegate == nil || _timer != nil) return; /* Apple: without a delegate the message is ignored */
  if (((NSUInteger)_browsedDeviceTypeMask & (NSUInteger)ICDeviceTypeMaskScanner) == 0 || ((NSUInteger)_browsedDeviceTypeMask & (NSUInteger)ICDeviceLocationTypeMaskLocal) == 0) return;
  _known = [[NSMutableDictionary alloc] init];
  _timer = [NSTimer scheduledTimerWithTimeInterval:0.02 target:self selector:@selector(look) userInfo:nil repeats:YES];
}

- (void)stop {
  [_timer invalidate];
  _timer = nil;
}

- (void)remove:(NSString *)name more:(BOOL)more {
  ICDevice *device = [[[_known objectForKey:name] retain] autorelease];
  [_known removeObjectForKey:name];
  [device unplugged];
  [_delegate deviceBrowser:self didRemoveDevice:device moreGoing:more];
}

- (void)look {
  const char *named = getenv("PLATEN_ICA_SIMULATION");
  NSString *root = named == NULL ? nil : [NSString stringWithUTF8String:named];
  NSMutableArray *came = [NSMutableArray array], *gone = [NSMutableArray arrayWithArray:[_known allKeys]];
  for (NSString *name in [[[NSFileManager defaultManager] contentsOfDirectoryAtPath:root error:NULL] sortedArrayUsingSelector:@selector(compare:)]) {
    NSString *folder = [root stringByAppendingPathComponent:name];
    if (!body_has(folder, @"is") || body_has(folder, @"off")) continue;
    if (body_is(folder, @"remote") && ((NSUInteger)_browsedDeviceTypeMask & (NSUInteger)ICDeviceLocationTypeMaskBonjour) == 0) continue;
    if ([_known objectForKey:name] == nil) [came addObject:folder];
    [gone removeObject:name];
  }
  for (NSUInteger i = 0; i < [gone count]; i++) [self remove:[gone objectAtIndex:i] more:i + 1 < [gone count]];
  for (NSUInteger i = 0; i < [came count]; i++) {
    ICDevice *device = [[[ICScannerDevice alloc] initWithFolder:[came objectAtIndex:i]] autorelease];
    [_known setObject:device forKey:[[came objectAtIndex:i] lastPathComponent]];
    [_delegate deviceBrowser:self didAddDevice:device moreComing:i + 1 < [came count]];
  }
  if (!_enumerated) [_delegate deviceBrowserDidEnumerateLocalDevices:self];
  _enumerated = YES;
}
@end
