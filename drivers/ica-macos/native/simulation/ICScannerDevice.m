/* A simulated scanner: one session at a time across all processes. It answers every request later, on the run loop. */
#import "scan.h"
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

@implementation ICScannerDevice
@synthesize selectedFunctionalUnit = _selectedFunctionalUnit, transferMode = _transferMode, maxMemoryBandSize = _maxMemoryBandSize;
@synthesize downloadsDirectory = _downloadsDirectory, documentName = _documentName, documentUTI = _documentUTI;

- (id)initWithFolder:(NSString *)folder {
  if ((self = [super initWithFolder:folder]) == nil) return nil;
  _lock = -1;
  _units = [[NSMutableArray alloc] init];
  return self;
}

- (void)unlock {
  if (_lock >= 0) close(_lock);
  _lock = -1;
  _hasOpenSession = NO;
  [_scan end];
  [_scan release];
  _scan = nil;
}

- (void)dealloc {
  [self unlock];
  [_units release];
  [_downloadsDirectory release];
  [_documentName release];
  [_documentUTI release];
  [super dealloc];
}

- (void)later:(SEL)message with:(id)argument {
  [self performSelector:message withObject:argument afterDelay:0];
}

/* ---- the session ---- */

- (void)selected:(NSError *)error {
  [(id<ICScannerDeviceDelegate>)_delegate scannerDevice:self didSelectFunctionalUnit:_selectedFunctionalUnit error:error];
}

- (NSError *)refusal {
  NSString *fault = body_fault(_folder, 0);
  if ([fault isEqualToString:@"busy"]) return body_error(_folder, ICReturnScannerInUseByLocalUser, @"The scanner is in use.", @"Der Scanner wird benutzt.");
  if ([fault isEqualToString:@"remote"]) return body_error(_folder, ICReturnScannerInUseByRemoteUser, @"The scanner is in use.", @"Der Scanner wird benutzt.");
  if ([fault isEqualToString:@"unopened"]) return body_error(_folder, ICReturnDeviceFailedToOpenSession, @"Failed to open a session.", @"Keine Verbindung.");
  if ([fault isEqualToString:@"unconnected"]) return body_error(_folder, ICReturnConnectionFailedToOpen, @"Failed to open a connection.", @"Keine Verbindung.");
  if ([fault isEqualToString:@"protected"]) return body_error(_folder, ICReturnDeviceNeedsCredentials, @"Credentials are required.", @"Bitte anmelden.");
  _lock = open([[_folder stringByAppendingPathComponent:@"is"] fileSystemRepresentation], O_RDONLY | O_CLOEXEC);
  if (_lock >= 0 && flock(_lock, LOCK_EX | LOCK_NB) == 0) return nil;
  [self unlock];
  return body_error(_folder, ICReturnScannerInUseByLocalUser, @"The scanner is in use.", @"Der Scanner wird benutzt.");
}

- (void)requestOpenSession {
  if (_delegate == nil || body_meets(_folder, 0, @"deaf")) return;
  if (body_meets(_folder, 0, @"throw")) [NSException raise:NSInternalInconsistencyException format:@"no session"];
  [self later:@selector(opened) with:nil];
}

- (void)opened {
  NSError *refusal = _hasOpenSession ? nil : [self refusal];
  _hasOpenSession = refusal == nil;
  [_delegate device:self didOpenSessionWithError:refusal];
  if (refusal == nil) [self later:@selector(look) with:nil];
}

/* Ready: the units are known and the first one is selected. */
- (void)look {
  [_units removeAllObjects];
  if (!_hasOpenSession || body_meets(_folder, 0, @"unready")) return;
  if (body_is(_folder, @"flatbed"))
    [_units addObject:[[[ICScannerFunctionalUnitFlatbed alloc] initWithFolder:_folder type:ICScannerFunctionalUnitTypeFlatbed] autorelease]];
  if (body_is(_folder, @"feeder"))
    [_units addObject:[[[ICScannerFunctionalUnitDocumentFeeder alloc] initWithFolder:_folder type:ICScannerFunctionalUnitTypeDocumentFeeder] autorelease]];
  if (!body_meets(_folder, 0, @"unitless")) _selectedFunctionalUnit = [_units objectAtIndex:0];
  if (_selectedFunctionalUnit != nil) [self selected:nil];
  [(id<ICScannerDeviceDelegate>)_delegate deviceDidBecomeReady:self];
  if (body_is(_folder, @"unsolicited")) [self performSelector:@selector(selected:) withObject:nil afterDelay:0.005];
}

- (void)requestCloseSession {
  if (!body_meets(_folder, 0, @"unclosed")) [self later:@selector(closed) with:nil];
}

- (void)closed {
  [NSObject cancelPreviousPerformRequestsWithTarget:self];
  _selectedFunctionalUnit = nil;
  [self unlock];
  [_delegate device:self didCloseSessionWithError:nil];
}

- (void)unplugged {
  [NSObject cancelPreviousPerformRequestsWithTarget:self];
  [self unlock];
  [super unplugged];
}

/* ---- units ---- */

- (NSArray *)availableFunctionalUnitTypes {
  NSMutableArray *types = [NSMutableArray array];
  for (ICScannerFunctionalUnit *unit in _units) [types addObject:[NSNumber numberWithUnsignedInteger:[unit type]]];
  return types;
}

- (void)requestSelectFunctionalUnit:(ICScannerFunctionalUnitType)type {
  [self later:@selector(select:) with:[NSNumber numberWithUnsignedInteger:type]];
}

- (void)select:(NSNumber *)type {
  ICScannerFunctionalUnit *found = nil;
  for (ICScannerFunctionalUnit *unit in _units) if ([unit type] == [type unsignedIntegerValue]) found = unit;
  if (found == nil) return [self selected:body_error(_folder, ICReturnScannerFailedToSelectFunctionalUnit, @"Failed to select.", @"Nicht gewählt.")];
  _selectedFunctionalUnit = body_meets(_folder, 0, @"unitless") ? nil : found;
  [self selected:nil];
}

/* ---- scans ---- */

- (void)requestScan {
  if (body_meets(_folder, 1, @"throw")) [NSException raise:NSInvalidArgumentException format:@"no scan"];
  [_scan end];
  [_scan release];
  _scan = [[SimulatedScan alloc] initWithDevice:self];
  [_scan begin];
}

- (void)cancelScan {
  [_scan cancel];
}
@end
