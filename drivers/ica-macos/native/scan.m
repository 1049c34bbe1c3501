/* A scan, in memory bands or files, and how to end it. */
#import "verbs.h"
#include <math.h>

enum { BAND = 1 << 20 };

static void to_memory(ICScannerDevice *scanner, const struct platen_request *request) {
  NSUInteger bytes = BAND;
  count_argument(request, "bandBytes", &bytes);
  [scanner setTransferMode:ICScannerTransferModeMemoryBased];
  [scanner setMaxMemoryBandSize:(UInt32)bytes];
}

static BOOL to_files(ICScannerDevice *scanner, const struct platen_request *request, double call) {
  NSString *folder = text_argument(request, "folder"), *name = text_argument(request, "name"), *uti = text_argument(request, "uti");
  if (folder == nil || name == nil || uti == nil) return refuse(call, "BAD_REQUEST", @"\"folder\", \"name\" and \"uti\" must be strings"), NO;
  [scanner setTransferMode:ICScannerTransferModeFileBased];
  [scanner setDownloadsDirectory:[NSURL fileURLWithPath:folder]];
  [scanner setDocumentName:name];
  [scanner setDocumentUTI:uti];
  return YES;
}

void verb_scan(Ica *ica, const struct platen_request *request, double call) {
  NSString *mode = text_argument(request, "mode");
  if (selected_unit(ica, call) == nil) return;
  if (ica->waiting[SCAN] != 0) return refuse(call, "BAD_REQUEST", @"a scan is under way"); /* and its settings must not change */
  if ([mode isEqualToString:@"memory"]) to_memory(ica->scanner, request);
  else if (![mode isEqualToString:@"file"]) return refuse(call, "BAD_REQUEST", @"\"mode\" must be \"memory\" or \"file\"");
  else if (!to_files(ica->scanner, request, call)) return;
  ica->waiting[SCAN] = call;
  ica->pages = ica->most = ica->every = 0;
  number_argument(request, "pages", &ica->most);
  [ica->scanner requestScan];
}

void verb_cancel(Ica *ica, const struct platen_request *request, double call) {
  if (!number_argument(request, "every", &ica->every)) [ica->scanner cancelScan];
  answer(call);
}

/* ImageCaptureCore cannot end a batch after a sheet. Only at this moment has the next sheet not begun. */
void page_done(Ica *ica) {
  ica->pages++;
  if (ica->pages == ica->most || (ica->every > 0 && fmod(ica->pages, ica->every) == 0)) [ica->scanner cancelScan];
}

/* Apple's getters retain and autorelease their results, and any number of bands may arrive before the framework drains its own pool. */
void send_band(double call, ICScannerBandData *band) {
  NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
  NSData *data = [band dataBuffer];
  size_t size = [data length], at = 0;
  do {
    platen_json header = {0};
    size_t length = size - at < BAND ? size - at : BAND;
    begin_frame(&header, call, YES);
    platen_json_number(&header, "startRow", [band dataStartRow]);
    platen_json_number(&header, "rows", [band dataNumRows]);
    platen_json_number(&header, "width", [band fullImageWidth]);
    platen_json_number(&header, "height", [band fullImageHeight]);
    platen_json_number(&header, "bytesPerRow", [band bytesPerRow]);
    platen_json_number(&header, "pixelType", [band pixelDataType]);
    platen_json_number(&header, "components", [band numComponents]);
    platen_json_number(&header, "depth", [band bitsPerComponent]);
    platen_json_number(&header, "bitsPerPixel", [band bitsPerPixel]);
    platen_json_bool(&header, "bigEndian", [band isBigEndian]);
    platen_json_number(&header, "offset", at);
    platen_json_number(&header, "bandBytes", size);
    send_frame(&header, (const char *)[data bytes] + at, length);
    at += length;
  } while (at < size);
  [pool drain];
}
