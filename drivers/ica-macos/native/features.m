/* The features that a scanner's vendor added to the selected unit. */
#import "verbs.h"

/* A frame's header has at most 64 KiB. */
enum { MOST_BYTES = 60000 };

static void add_value(platen_json *header, const char *key, id value) {
  if ([value isKindOfClass:[NSString class]]) add_text(header, key, value);
  else if ([value isKindOfClass:[NSNumber class]]) platen_json_number(header, key, [value doubleValue]);
  else platen_json_null(header, key);
}

static void add_list(platen_json *header, const char *key, NSArray *list) {
  platen_json_open(header, key, '[');
  for (id each in list) add_value(header, NULL, each);
  platen_json_close(header, ']');
}

static void add_place(platen_json *header, const char *key, NSArray *values, id value) {
  NSUInteger place = value == nil ? NSNotFound : [values indexOfObject:value];
  if (place == NSNotFound) platen_json_null(header, key);
  else platen_json_number(header, key, place);
}

static void describe_enumeration(platen_json *header, ICScannerFeatureEnumeration *feature) {
  NSArray *values = [feature values];
  add_list(header, "values", values);
  add_list(header, "labels", [feature menuItemLabels]);
  add_place(header, "value", values, [feature currentValue]);
  add_place(header, "default", values, [feature defaultValue]);
}

static void describe_range(platen_json *header, ICScannerFeatureRange *feature) {
  platen_json_number(header, "minimum", [feature minValue]);
  platen_json_number(header, "maximum", [feature maxValue]);
  platen_json_number(header, "step", [feature stepSize]);
  platen_json_number(header, "value", [feature currentValue]);
  platen_json_number(header, "default", [feature defaultValue]);
}

static void describe_feature(platen_json *header, ICScannerFeature *feature) {
  platen_json_number(header, "type", [feature type]);
  add_text(header, "name", [feature internalName]);
  add_text(header, "title", [feature humanReadableName]);
  add_text(header, "tooltip", [feature tooltip]);
  if ([feature isKindOfClass:[ICScannerFeatureEnumeration class]]) describe_enumeration(header, (ICScannerFeatureEnumeration *)feature);
  else if ([feature isKindOfClass:[ICScannerFeatureRange class]]) describe_range(header, (ICScannerFeatureRange *)feature);
  else if ([feature isKindOfClass:[ICScannerFeatureBoolean class]]) platen_json_number(header, "value", [(ICScannerFeatureBoolean *)feature value]);
}

/* A feature that throws, or that fits into no frame, is left out. */
static void send_feature(double call, NSUInteger index, ICScannerFeature *feature) {
  platen_json header = {0};
  begin_frame(&header, call, YES);
  platen_json_number(&header, "index", index);
  @try {
    describe_feature(&header, feature);
  } @catch (NSException *thrown) {
    (void)thrown;
    platen_json_free(&header);
    return;
  }
  if (header.length <= MOST_BYTES) send_frame(&header, NULL, 0);
  else platen_json_free(&header);
}

static void send_features(double call, NSArray *features) {
  for (NSUInteger i = 0; i < [features count]; i++) send_feature(call, i, [features objectAtIndex:i]);
  answer(call);
}

void verb_features(Ica *ica, const struct platen_request *request, double call) {
  (void)request;
  ICScannerFunctionalUnit *unit = selected_unit(ica, call);
  if (unit != nil) send_features(call, [unit vendorFeatures]);
}

/* Returns NO for a value that has no place in the list, and for a feature without a value. */
static BOOL set_feature(ICScannerFeature *feature, double value) {
  if ([feature isKindOfClass:[ICScannerFeatureEnumeration class]]) {
    NSArray *values = [(ICScannerFeatureEnumeration *)feature values];
    if (!(value >= 0 && value < [values count])) return NO;
    /* The feature does not retain its value: it must be one of the list. */
    [(ICScannerFeatureEnumeration *)feature setCurrentValue:[values objectAtIndex:(NSUInteger)value]];
  } else if ([feature isKindOfClass:[ICScannerFeatureRange class]]) [(ICScannerFeatureRange *)feature setCurrentValue:(CGFloat)value];
  else if ([feature isKindOfClass:[ICScannerFeatureBoolean class]]) [(ICScannerFeatureBoolean *)feature setValue:value != 0];
  else return NO;
  return YES;
}

void verb_feature(Ica *ica, const struct platen_request *request, double call) {
  ICScannerFunctionalUnit *unit = selected_unit(ica, call);
  double index, value;
  if (unit == nil) return;
  NSArray *features = [unit vendorFeatures];
  BOOL isThere = number_argument(request, "index", &index) && index >= 0 && index < [features count];
  if (!isThere || !number_argument(request, "value", &value) || !set_feature([features objectAtIndex:(NSUInteger)index], value))
    return refuse(call, "BAD_REQUEST", @"\"index\" must be a feature, and \"value\" a number that it takes");
  send_features(call, [unit vendorFeatures]);
}
