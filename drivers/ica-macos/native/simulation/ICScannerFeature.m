/* Vendor features: lines of the file `features`, as body.h describes them. */
#import "body.h"
#include <math.h>

enum { KIND, NAME, TITLE, TOOLTIP, FACTS };

/* A number or, if it is none, a string. */
static id value_of(NSString *word) {
  NSScanner *scanner = [NSScanner scannerWithString:word];
  double number;
  return [scanner scanDouble:&number] && [scanner isAtEnd] ? [NSNumber numberWithDouble:number] : (id)word;
}

@implementation ICScannerFeature
@synthesize type = _type;

+ (NSArray *)featuresIn:(NSString *)folder {
  NSDictionary *classes = [NSDictionary dictionaryWithObjectsAndKeys:[ICScannerFeatureEnumeration class], @"enumeration", [ICScannerFeatureRange class], @"range",
                                                                     [ICScannerFeatureBoolean class], @"boolean", [ICScannerFeatureTemplate class], @"template", nil];
  NSMutableArray *features = [NSMutableArray array];
  for (NSString *line in [body_text(folder, @"features", @"") componentsSeparatedByString:@"\n"]) {
    NSArray *words = [line componentsSeparatedByString:@"|"];
    Class kind = [classes objectForKey:[[[words objectAtIndex:KIND] componentsSeparatedByString:@" "] lastObject]];
    if (kind != nil && [words count] > FACTS) [features addObject:[[[kind alloc] initWithWords:words] autorelease]];
  }
  return features;
}

- (id)initWithWords:(NSArray *)words {
  if ((self = [super init]) != nil) _words = [words retain];
  return self;
}

- (void)dealloc {
  [_words release];
  [super dealloc];
}

- (BOOL)is:(NSString *)quirk {
  return [[[_words objectAtIndex:KIND] componentsSeparatedByString:@" "] containsObject:quirk];
}

- (NSString *)text:(NSUInteger)place {
  NSString *text = [_words objectAtIndex:place];
  return [text length] == 0 ? nil : text;
}

- (NSArray *)facts {
  return [[_words objectAtIndex:FACTS] componentsSeparatedByString:@","];
}

- (NSString *)internalName {
  return [self text:NAME];
}

- (NSString *)humanReadableName {
  if ([self is:@"throws"]) [NSException raise:NSInternalInconsistencyException format:@"no name"];
  return [self text:TITLE];
}

- (NSString *)tooltip {
  return [self text:TOOLTIP];
}
@end

@implementation ICScannerFeatureEnumeration
@synthesize values = _values, menuItemLabels = _menuItemLabels, currentValue = _currentValue, defaultValue = _defaultValue;

- (id)initWithWords:(NSArray *)words {
  if ((self = [super initWithWords:words]) == nil) return nil;
  _type = ICScannerFeatureTypeEnumeration;
  _values = [[NSMutableArray alloc] init];
  _menuItemLabels = [[NSMutableArray alloc] init];
  for (NSString *fact in [self facts]) {
    NSArray *sides = [fact componentsSeparatedByString:@"="];
    [_values addObject:value_of([sides objectAtIndex:0])];
    [_menuItemLabels addObject:[sides lastObject]];
  }
  _currentValue = _defaultValue = [_values objectAtIndex:0];
  return self;
}

- (void)dealloc {
  [_values release];
  [_menuItemLabels release];
  [super dealloc];
}

- (void)setCurrentValue:(id)value {
  if (![self is:@"stuck"]) _currentValue = value;
}

- (NSArray *)menuItemLabelsTooltips {
  return [NSArray array];
}
@end

@implementation ICScannerFeatureRange
@synthesize currentValue = _currentValue, defaultValue = _defaultValue, minValue = _minValue, maxValue = _maxValue, stepSize = _stepSize;

- (id)initWithWords:(NSArray *)words {
  if ((self = [super initWithWords:words]) == nil) return nil;
  NSArray *facts = [self facts];
  _type = ICScannerFeatureTypeRange;
  _minValue = [[facts objectAtIndex:0] doubleValue];
  _maxValue = [[facts objectAtIndex:1] doubleValue];
  _stepSize = [[facts objectAtIndex:2] doubleValue];
  _currentValue = _defaultValue = [[facts objectAtIndex:3] doubleValue];
  return self;
}

/* Apple: the nearest step is taken. */
- (void)setCurrentValue:(CGFloat)value {
  if ([self is:@"stuck"]) return;
  CGFloat stepped = _stepSize > 0 ? _minValue + round((value - _minValue) / _stepSize) * _stepSize : value;
  _currentValue = stepped < _minValue ? _minValue : stepped > _maxValue ? _maxValue : stepped;
}
@end

@implementation ICScannerFeatureBoolean
- (id)initWithWords:(NSArray *)words {
  if ((self = [super initWithWords:words]) == nil) return nil;
  _type = ICScannerFeatureTypeBoolean;
  _value = [[[self facts] objectAtIndex:0] boolValue];
  return self;
}

- (BOOL)value {
  return _value;
}

- (void)setValue:(BOOL)value {
  if (![self is:@"stuck"]) _value = value;
}
@end

@implementation ICScannerFeatureTemplate
- (id)initWithWords:(NSArray *)words {
  if ((self = [super initWithWords:words]) != nil) _type = ICScannerFeatureTypeTemplate;
  return self;
}

- (NSArray *)targets {
  return [NSArray array];
}
@end
