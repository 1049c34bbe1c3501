/* The properties of every simulated device. */
#import "body.h"

@implementation ICDevice
@synthesize delegate = _delegate, hasOpenSession = _hasOpenSession;

- (id)initWithFolder:(NSString *)folder {
  if ((self = [super init]) != nil) {
    _folder = [folder copy];
    _identity = [[folder lastPathComponent] copy];
  }
  return self;
}

- (void)dealloc {
  [_folder release];
  [_identity release];
  [super dealloc];
}

- (NSString *)folder {
  return _folder;
}

- (ICDeviceType)type {
  return (ICDeviceType)((NSUInteger)ICDeviceTypeScanner | (NSUInteger)ICDeviceLocationTypeLocal);
}

- (NSString *)name {
  return body_text(_folder, @"name", _identity);
}

- (NSString *)productKind {
  return @"Scanner";
}

- (NSString *)transportType {
  return ICTransportTypeUSB;
}

- (NSString *)UUIDString {
  return _identity;
}

- (NSString *)persistentIDString {
  return _identity;
}

- (NSString *)locationDescription {
  return @"ICDeviceLocationDescriptionUSB";
}

- (void)requestOpenSession {
}

- (void)requestCloseSession {
}

- (void)unplugged {
  if (!body_is(_folder, @"unsaid")) [_delegate didRemoveDevice:self];
}
@end
