/* A simulated scanner's properties, sheets and faults: files that tests write. */
#import "body.h"

NSErrorDomain const ICErrorDomain = @"com.apple.ImageCaptureCore";
ICDeviceTransport const ICTransportTypeUSB = @"ICTransportTypeUSB";
ICDeviceStatus const ICStatusNotificationKey = @"ICStatusNotificationKey";
ICDeviceStatus const ICLocalizedStatusNotificationKey = @"ICLocalizedStatusNotificationKey";

NSString *body_text(NSString *folder, NSString *file, NSString *absent) {
  NSString *text = [NSString stringWithContentsOfFile:[folder stringByAppendingPathComponent:file] encoding:NSUTF8StringEncoding error:NULL];
  return text == nil ? absent : [text stringByTrimmingCharactersInSet:[NSCharacterSet whitespaceAndNewlineCharacterSet]];
}

BOOL body_is(NSString *folder, NSString *word) { return [[body_text(folder, @"is", @"") componentsSeparatedByString:@" "] containsObject:word]; }

BOOL body_has(NSString *folder, NSString *file) { return [[NSFileManager defaultManager] fileExistsAtPath:[folder stringByAppendingPathComponent:file]]; }

NSString *body_fault(NSString *folder, int sheet) {
  for (NSString *line in [body_text(folder, @"fault", @"") componentsSeparatedByString:@"\n"]) {
    NSArray *words = [line componentsSeparatedByString:@" "];
    if ([words count] != 2) continue;
    NSString *at = [words objectAtIndex:0];
    if ([at isEqualToString:@"always"] ? sheet > 0 : [at intValue] == sheet) return [words objectAtIndex:1];
  }
  return nil;
}

BOOL body_meets(NSString *folder, int sheet, NSString *fault) { return [body_fault(folder, sheet) isEqualToString:fault]; }

NSArray *body_sheets(NSString *folder) {
  NSString *feeder = [folder stringByAppendingPathComponent:@"feeder"];
  NSMutableArray *sheets = [NSMutableArray array];
  NSArray *names = [[[NSFileManager defaultManager] contentsOfDirectoryAtPath:feeder error:NULL] sortedArrayUsingSelector:@selector(compare:)];
  for (NSString *name in names) if (![name hasPrefix:@"."]) [sheets addObject:[feeder stringByAppendingPathComponent:name]];
  return sheets;
}

void body_scanned(NSString *folder, NSString *sheet) {
  NSString *to = [[folder stringByAppendingPathComponent:@"scanned"] stringByAppendingPathComponent:[sheet lastPathComponent]];
  if (body_has(folder, @"scanned")) [[NSFileManager defaultManager] moveItemAtPath:sheet toPath:to error:NULL];
  else [[NSFileManager defaultManager] removeItemAtPath:sheet error:NULL];
}

void body_unplug(NSString *folder) { [@"" writeToFile:[folder stringByAppendingPathComponent:@"off"] atomically:NO encoding:NSUTF8StringEncoding error:NULL]; }

NSError *body_error(NSString *folder, NSInteger code, NSString *words, NSString *german) {
  NSString *said = body_is(folder, @"german") ? german : words;
  return [NSError errorWithDomain:ICErrorDomain code:code userInfo:[NSDictionary dictionaryWithObject:said forKey:NSLocalizedDescriptionKey]];
}
