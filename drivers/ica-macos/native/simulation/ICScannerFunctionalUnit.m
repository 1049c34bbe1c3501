/* The units of a simulated scanner. They accept only settings that they support. */
#import "body.h"

static const double inch = 25.4;

@implementation ICScannerFunctionalUnit
@synthesize type = _type, pixelDataType = _pixelDataType, measurementUnit = _measurementUnit, supportedResolutions = _supportedResolutions;
@synthesize scanInProgress = _scanInProgress, resolution = _resolution, bitDepth = _bitDepth, scanArea = _scanArea;
@synthesize usesThresholdForBlackAndWhiteScanning = _usesThresholdForBlackAndWhiteScanning;
@synthesize thresholdForBlackAndWhiteScanning = _thresholdForBlackAndWhiteScanning;

- (id)initWithFolder:(NSString *)folder type:(ICScannerFunctionalUnitType)type {
  if ((self = [super init]) == nil) return nil;
  NSMutableIndexSet *resolutions = [[NSMutableIndexSet alloc] init];
  for (NSString *word in [body_text(folder, @"resolutions", @"75 100 150 200 300 600") componentsSeparatedByString:@" "]) {
    NSArray *ends = [word componentsSeparatedByString:@"-"];
    NSUInteger first = (NSUInteger)[[ends objectAtIndex:0] intValue], last = (NSUInteger)[[ends lastObject] intValue];
    [resolutions addIndexesInRange:NSMakeRange(first, last - first + 1)];
  }
  _folder = [folder copy];
  _type = type;
  _supportedResolutions = resolutions;
  _resolution = [resolutions firstIndex];
  _bitDepth = ICScannerBitDepth8Bits;
  _pixelDataType = ICScannerPixelDataTypeRGB;
  _scanArea.size = [self physicalSize];
  _thresholdForBlackAndWhiteScanning = [self defaultThresholdForBlackAndWhiteScanning];
  _features = [[ICScannerFeature featuresIn:folder] retain];
  return self;
}

- (void)dealloc {
  [_folder release];
  [_supportedResolutions release];
  [_features release];
  [super dealloc];
}

- (void)setResolution:(NSUInteger)resolution {
  if ([_supportedResolutions containsIndex:resolution]) _resolution = resolution;
}

- (void)setBitDepth:(ICScannerBitDepth)depth {
  if ([[self supportedBitDepths] containsIndex:depth]) _bitDepth = depth;
}

- (NSIndexSet *)supportedBitDepths {
  NSMutableIndexSet *depths = [NSMutableIndexSet indexSetWithIndex:ICScannerBitDepth8Bits];
  if (!body_is(_folder, @"no-1bit")) [depths addIndex:ICScannerBitDepth1Bit];
  return depths;
}

- (NSIndexSet *)supportedMeasurementUnits {
  return [NSIndexSet indexSetWithIndexesInRange:NSMakeRange(ICScannerMeasurementUnitInches, 2)];
}

- (NSIndexSet *)preferredResolutions {
  NSMutableIndexSet *preferred = [NSMutableIndexSet indexSet];
  for (NSUInteger dpi = 75; dpi <= 600; dpi *= 2) if ([_supportedResolutions containsIndex:dpi]) [preferred addIndex:dpi];
  return preferred;
}

- (NSUInteger)nativeXResolution {
  return [_supportedResolutions lastIndex];
}

- (NSUInteger)nativeYResolution {
  return [_supportedResolutions lastIndex];
}

- (NSSize)physicalSize {
  NSArray *words = [body_text(_folder, @"area", @"216 297") componentsSeparatedByString:@" "];
  double divisor = _measurementUnit == ICScannerMeasurementUnitCentimeters ? 10 : inch;
  return NSMakeSize([[words objectAtIndex:0] doubleValue] / divisor, [[words objectAtIndex:1] doubleValue] / divisor);
}

- (BOOL)acceptsThresholdForBlackAndWhiteScanning {
  return body_is(_folder, @"threshold") || body_is(_folder, @"threshold-stuck");
}

- (void)setUsesThresholdForBlackAndWhiteScanning:(BOOL)uses {
  if (body_is(_folder, @"threshold")) _usesThresholdForBlackAndWhiteScanning = uses;
}

- (unsigned char)defaultThresholdForBlackAndWhiteScanning {
  return 128;
}

- (int)blackBelow {
  return _usesThresholdForBlackAndWhiteScanning ? _thresholdForBlackAndWhiteScanning : [self defaultThresholdForBlackAndWhiteScanning];
}

- (NSArray *)vendorFeatures {
  NSMutableArray *features = [NSMutableArray array];
  if (body_is(_folder, @"features-throw")) [NSException raise:NSInternalInconsistencyException format:@"no features"];
  for (ICScannerFeature *each in _features) if (![each is:@"colour"] || _pixelDataType == ICScannerPixelDataTypeRGB) [features addObject:each];
  return features;
}

- (int)brightness {
  for (ICScannerFeature *each in _features)
    if ([each isKindOfClass:[ICScannerFeatureRange class]] && [[each internalName] hasSuffix:@"BRIGHTNESS"]) return (int)[(ICScannerFeatureRange *)each currentValue];
  return 0;
}

- (NSIndexSet *)supportedDocumentTypes {
  NSMutableIndexSet *types = [NSMutableIndexSet indexSetWithIndex:ICScannerDocumentTypeA4];
  [types addIndex:ICScannerDocumentTypeUSLetter];
  return types;
}
@end

@implementation ICScannerFunctionalUnitFlatbed
@dynamic supportedDocumentTypes;

- (ICScannerDocumentType)documentType {
  return ICScannerDocumentTypeDefault;
}

- (void)setDocumentType:(ICScannerDocumentType)documentType {
  (void)documentType;
}
@end

@implementation ICScannerFunctionalUnitDocumentFeeder
@synthesize documentType = _documentType, duplexScanningEnabled = _duplexScanningEnabled;
@dynamic supportedDocumentTypes;

- (BOOL)supportsDuplexScanning {
  return body_is(_folder, @"duplex");
}

- (BOOL)documentLoaded {
  return body_is(_folder, @"sensor") && [body_sheets(_folder) count] > 0 && !body_meets(_folder, 1, @"no-paper");
}

- (BOOL)reverseFeederPageOrder {
  return body_is(_folder, @"reversed");
}
@end
