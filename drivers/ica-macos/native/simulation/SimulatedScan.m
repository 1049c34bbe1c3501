/* The paper path of a simulated scanner. It feeds as fast as its delegate takes the pages, without waiting for requests. */
#import "scan.h"
#import "page.h"
#include <stdlib.h>

@implementation SimulatedScan
- (id)initWithDevice:(ICScannerDevice *)device {
  if ((self = [super init]) == nil) return nil;
  _device = device;
  _unit = [[device selectedFunctionalUnit] retain];
  _folder = [[device folder] copy];
  _isFeeder = [_unit type] == ICScannerFunctionalUnitTypeDocumentFeeder;
  _sides = _isFeeder && [(ICScannerFunctionalUnitDocumentFeeder *)_unit duplexScanningEnabled] ? 2 : 1;
  return self;
}

- (void)dealloc {
  page_free(_page);
  [_sheet release];
  [_unit release];
  [_folder release];
  [super dealloc];
}

- (id<ICScannerDeviceDelegate>)delegate {
  return (id<ICScannerDeviceDelegate>)[_device delegate];
}

- (void)next:(double)seconds {
  if (!_isOver) [self performSelector:@selector(step) withObject:nil afterDelay:seconds];
}

- (void)end {
  _isOver = YES;
  _unit->_scanInProgress = NO;
  [NSObject cancelPreviousPerformRequestsWithTarget:self];
}

- (void)complete:(NSError *)error {
  [self end];
  [[self delegate] scannerDevice:_device didCompleteScanWithError:error];
}

/* Some modules report unsolicited errors to the device's delegate only; the end of the scan then has no error. */
- (void)fail:(NSInteger)code words:(NSString *)words german:(NSString *)german {
  NSError *error = body_error(_folder, code, words, german);
  BOOL isTold = code == ICReturnReceivedUnsolicitedScannerErrorInfo && (body_is(_folder, @"tells") || body_is(_folder, @"only-tells"));
  if (!isTold) return [self complete:error];
  _isStuck = YES;
  [[self delegate] device:_device didEncounterError:error];
  if (body_is(_folder, @"tells")) [self complete:nil];
}

- (void)begin {
  _unit->_scanInProgress = YES;
  [self next:0];
}

- (void)cancel {
  if (_isOver || body_meets(_folder, _sheets, @"deaf") || body_meets(_folder, _sheets, @"stubborn")) return;
  /* A scanner that is deaf from the next sheet on is also deaf between the two sheets. */
  if (body_meets(_folder, _sheets + 1, @"deaf")) return;
  _isCancelled = YES;
  [NSObject cancelPreviousPerformRequestsWithTarget:self];
  [self next:0];
}

/* Applies a fault before the sheet's first row. Returns whether the scan continues. */
- (BOOL)meets:(NSString *)fault {
  if ([fault isEqualToString:@"deaf"]) return NO;
  if ([fault isEqualToString:@"crash"]) abort();
  if ([fault isEqualToString:@"stuck"]) for (;;) [NSThread sleepForTimeInterval:60];
  if ([fault isEqualToString:@"silent"]) return [self complete:nil], NO;
  if ([fault isEqualToString:@"broken"]) return [self fail:ICReturnScannerFailedToCompleteScan words:@"The scan failed." german:@"Das Scannen schlug fehl."], NO;
  if ([fault isEqualToString:@"pressed"]) return [self fail:ICReturnScanOperationCanceled words:@"The scan was cancelled." german:@"Abgebrochen."], NO;
  if ([fault isEqualToString:@"invalid"]) return [self fail:ICReturnInvalidParam words:@"An invalid parameter." german:@"Ungültig."], NO;
  if ([fault isEqualToString:@"used"]) return [self fail:ICReturnScannerInUseByLocalUser words:@"The scanner is in use." german:@"Der Scanner wird benutzt."], NO;
  return YES;
}

/* Takes the next sheet; false: the feeder is empty and the scan is over. */
- (BOOL)feed {
  NSArray *sheets = body_sheets(_folder);
  BOOL isEmpty = _isFeeder && ([sheets count] == 0 || body_meets(_folder, _sheets + 1, @"no-paper"));
  if ((isEmpty || !_isFeeder) && _sheets > 0 && !body_is(_folder, @"empty-error")) return [self complete:nil], NO;
  if (isEmpty) return [self fail:ICReturnReceivedUnsolicitedScannerErrorInfo words:@"Document feeder is empty." german:@"Der Dokumenteneinzug ist leer."], NO;
  if (!_isFeeder && _sheets > 0) return [self complete:nil], NO;
  _sheets++;
  [_sheet release];
  _sheet = _isFeeder ? [[sheets objectAtIndex:0] retain] : nil;
  _side = 0;
  if ([_unit pixelDataType] == ICScannerPixelDataTypeBW && body_is(_folder, @"no-bw"))
    return [self fail:ICReturnReceivedUnsolicitedScannerErrorInfo words:@"The scanner reported an error." german:@"Fehler."], NO;
  return [self meets:body_fault(_folder, _sheets)];
}

/* Faults in the middle of a side. */
- (BOOL)tears {
  NSString *fault = body_fault(_folder, _sheets);
  if (_row == 0) return NO;
  if ([fault isEqualToString:@"unplug"]) {
    body_unplug(_folder);
    [self end];
    return YES;
  }
  if ([fault isEqualToString:@"jam"]) return [self fail:ICReturnReceivedUnsolicitedScannerErrorInfo words:@"The paper is jammed." german:@"Papierstau."], YES;
  if ([fault isEqualToString:@"double"]) return [self fail:ICReturnReceivedUnsolicitedScannerErrorInfo words:@"Several sheets were fed." german:@"Mehrfacheinzug."], YES;
  if ([fault isEqualToString:@"cover"]) return [self fail:ICReturnReceivedUnsolicitedScannerErrorInfo words:@"The cover is open." german:@"Die Abdeckung ist offen."], YES;
  return NO;
}

- (void)sideDone {
  page_free(_page);
  _page = NULL;
  if (++_side == _sides && _sheet != nil) body_scanned(_folder, _sheet);
}

- (void)toFile {
  NSString *type = [[_device documentUTI] isEqualToString:@"public.png"] ? @"png" : @"unknown";
  NSString *name = [NSString stringWithFormat:@"%@ %d.%@", [_device documentName], ++_files, type];
  NSString *path = [[[_device downloadsDirectory] path] stringByAppendingPathComponent:name];
  if ([self tears]) return;
  _row = 1; /* a file is written only after the whole page */
  if ([self tears]) return;
  page_write(_page, path, body_meets(_folder, _sheets, @"torn"));
  [self sideDone];
  [[self delegate] scannerDevice:_device didScanToURL:[NSURL fileURLWithPath:path]];
}

- (void)toMemory {
  NSUInteger height = page_height(_page), rows = page_rows(_page, [_device maxMemoryBandSize]);
  NSString *fault = body_fault(_folder, _sheets);
  if ([[NSArray arrayWithObjects:@"jam", @"double", @"cover", @"unplug", nil] containsObject:fault] && rows > height / 2) rows = height / 2;
  BOOL isTorn = [fault isEqualToString:@"torn"];
  if (isTorn && rows > height / 4) rows = height / 4;
  if ([self tears]) return;
  NSUInteger count = _row + rows < height ? rows : height - _row;
  if (isTorn && _row == rows) { /* its second band is lost */
    _row += count;
    return;
  }
  ICScannerBandData *band = page_band(_page, _row, count);
  _row += count;
  if (_row == height) [self sideDone];
  [[self delegate] scannerDevice:_device didScanToBandData:band];
}

- (void)advance {
  [[self retain] autorelease]; /* a delegate may close the session */
  if (body_has(_folder, @"off")) return [self end]; /* the browser says so */
  if (_isCancelled) return [self fail:ICReturnScanOperationCanceled words:@"The scan was cancelled." german:@"Abgebrochen."];
  if (_page == NULL) {
    if ((_sheets == 0 || _side == _sides) && ![self feed]) return;
    _page = page_of(_folder, _sheet, _side == 1, _unit);
    _row = 0;
    return [self next:[body_text(_folder, @"side-ms", @"0") doubleValue] / 1000];
  }
  if ([_device transferMode] == ICScannerTransferModeFileBased) [self toFile];
  else [self toMemory];
  [self next:_isStuck ? 0.02 : 0];
}

/* GNUstep's run loop logs an exception, such as one for lack of memory, and goes on; on a Mac it ends the process. */
- (void)step {
  @try {
    [self advance];
  } @catch (NSException *thrown) {
    NSLog(@"%@", thrown);
    abort();
  }
}
@end
