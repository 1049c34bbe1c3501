/* The selected unit: its properties and its settings. */
#import "verbs.h"
#include <limits.h>

enum { MOST_RANGES = 200 };

ICScannerFunctionalUnit *selected_unit(Ica *ica, double call) {
  ICScannerDevice *scanner = open_scanner(ica, call);
  ICScannerFunctionalUnit *unit = [scanner selectedFunctionalUnit];
  if (scanner != nil && unit == nil) refuse(call, "NO_UNIT", @"no functional unit is selected");
  return unit;
}

/* As [first, last] pairs: a set may be 75 to 19200. */
static void add_ranges(platen_json *header, const char *key, NSIndexSet *set) {
  NSUInteger last, first = set == nil ? NSNotFound : [set firstIndex];
  platen_json_open(header, key, '[');
  for (int ranges = 0; first != NSNotFound && ranges < MOST_RANGES; ranges++) {
    NSUInteger next = first;
    do {
      last = next;
      next = [set indexGreaterThanIndex:last];
    } while (next == last + 1);
    platen_json_open(header, NULL, '[');
    platen_json_number(header, NULL, first);
    platen_json_number(header, NULL, last);
    platen_json_close(header, ']');
    first = next;
  }
  platen_json_close(header, ']');
}

static void describe_feeder(platen_json *header, ICScannerFunctionalUnitDocumentFeeder *feeder) {
  platen_json_bool(header, "duplex", [feeder supportsDuplexScanning]);
  platen_json_bool(header, "duplexOn", [feeder duplexScanningEnabled]);
  platen_json_bool(header, "loaded", [feeder documentLoaded]);
  platen_json_bool(header, "reversed", [feeder reverseFeederPageOrder]);
}

static void describe_settings(platen_json *header, ICScannerFunctionalUnit *unit) {
  platen_json_number(header, "resolution", [unit resolution]);
  platen_json_number(header, "depth", [unit bitDepth]);
  platen_json_number(header, "pixelType", [unit pixelDataType]);
  platen_json_number(header, "unitOfMeasure", [unit measurementUnit]);
  if (![unit acceptsThresholdForBlackAndWhiteScanning]) return;
  platen_json_bool(header, "usesThreshold", [unit usesThresholdForBlackAndWhiteScanning]);
  platen_json_number(header, "threshold", [unit thresholdForBlackAndWhiteScanning]);
}

void describe(platen_json *header, ICScannerDevice *scanner) {
  ICScannerFunctionalUnit *unit = [scanner selectedFunctionalUnit];
  platen_json_open(header, "units", '[');
  for (NSNumber *each in [scanner availableFunctionalUnitTypes]) platen_json_number(header, NULL, [each unsignedIntegerValue]);
  platen_json_close(header, ']');
  if (unit == nil) {
    platen_json_null(header, "unit");
    return;
  }
  platen_json_number(header, "unit", [unit type]);
  add_ranges(header, "resolutions", [unit supportedResolutions]);
  add_ranges(header, "preferredResolutions", [unit preferredResolutions]);
  add_ranges(header, "depths", [unit supportedBitDepths]);
  add_ranges(header, "unitsOfMeasure", [unit supportedMeasurementUnits]);
  describe_settings(header, unit);
  platen_json_number(header, "width", [unit physicalSize].width);
  platen_json_number(header, "height", [unit physicalSize].height);
  platen_json_number(header, "nativeX", [unit nativeXResolution]);
  platen_json_number(header, "nativeY", [unit nativeYResolution]);
  /* A property of several classes that their common superclass lacks. */
  if ([unit respondsToSelector:@selector(supportedDocumentTypes)]) add_ranges(header, "documentTypes", [(ICScannerFunctionalUnitFlatbed *)unit supportedDocumentTypes]);
  if ([unit isKindOfClass:[ICScannerFunctionalUnitDocumentFeeder class]]) describe_feeder(header, (ICScannerFunctionalUnitDocumentFeeder *)unit);
}

void verb_describe(Ica *ica, const struct platen_request *request, double call) {
  (void)request;
  ICScannerDevice *scanner = open_scanner(ica, call);
  if (scanner == nil) return;
  platen_json header = {0};
  begin_frame(&header, call, NO);
  @try {
    describe(&header, scanner);
  } @catch (NSException *thrown) {
    platen_json_free(&header);
    @throw;
  }
  send_frame(&header, NULL, 0);
}

void verb_set(Ica *ica, const struct platen_request *request, double call) {
  ICScannerFunctionalUnit *unit = selected_unit(ica, call);
  double value, x, y, width, height;
  NSUInteger count;
  if (unit == nil) return;
  BOOL isFeeder = [unit isKindOfClass:[ICScannerFunctionalUnitDocumentFeeder class]];
  if (count_argument(request, "unitOfMeasure", &count)) [unit setMeasurementUnit:(ICScannerMeasurementUnit)count];
  if (isFeeder && number_argument(request, "duplex", &value)) [(ICScannerFunctionalUnitDocumentFeeder *)unit setDuplexScanningEnabled:value != 0];
  if (count_argument(request, "documentType", &count) && [unit respondsToSelector:@selector(setDocumentType:)])
    [(ICScannerFunctionalUnitFlatbed *)unit setDocumentType:(ICScannerDocumentType)count];
  if (count_argument(request, "pixelType", &count)) [unit setPixelDataType:(ICScannerPixelDataType)count];
  if (count_argument(request, "depth", &count)) [unit setBitDepth:(ICScannerBitDepth)count];
  if (count_argument(request, "resolution", &count)) [unit setResolution:count];
  if (number_argument(request, "usesThreshold", &value)) [unit setUsesThresholdForBlackAndWhiteScanning:value != 0];
  if (number_argument(request, "threshold", &value) && value >= 0 && value <= UCHAR_MAX) [unit setThresholdForBlackAndWhiteScanning:(unsigned char)value];
  if (number_argument(request, "x", &x) && number_argument(request, "y", &y) && number_argument(request, "width", &width) && number_argument(request, "height", &height))
    [unit setScanArea:NSMakeRect(x, y, width, height)];
  platen_json header = {0};
  begin_frame(&header, call, NO);
  describe_settings(&header, unit);
  if (isFeeder) platen_json_bool(&header, "duplex", [(ICScannerFunctionalUnitDocumentFeeder *)unit duplexScanningEnabled]);
  platen_json_number(&header, "x", [unit scanArea].origin.x);
  platen_json_number(&header, "y", [unit scanArea].origin.y);
  platen_json_number(&header, "width", [unit scanArea].size.width);
  platen_json_number(&header, "height", [unit scanArea].size.height);
  send_frame(&header, NULL, 0);
}
