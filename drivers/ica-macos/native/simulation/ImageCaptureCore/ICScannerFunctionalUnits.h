/* The parts of a scanner, how they scan, and what their vendor added. */
#import <ImageCaptureCore/ImageCaptureConstants.h>

typedef NS_ENUM(NSUInteger, ICScannerFeatureType) {
  ICScannerFeatureTypeEnumeration = 0,
  ICScannerFeatureTypeRange = 1,
  ICScannerFeatureTypeBoolean = 2,
  ICScannerFeatureTypeTemplate = 3,
};

@interface ICScannerFeature : NSObject {
@protected
  NSArray *_words; /* of its line in the file `features` */
  ICScannerFeatureType _type;
}
@property (readonly) ICScannerFeatureType type;
@property (readonly) NSString *internalName;
@property (readonly) NSString *humanReadableName;
@property (readonly) NSString *tooltip;
@end

@interface ICScannerFeatureEnumeration : ICScannerFeature {
@private
  NSMutableArray *_values, *_menuItemLabels;
  id _currentValue, _defaultValue;
}
@property (assign) id currentValue;
@property (readonly) id defaultValue;
@property (readonly) NSArray *values;
@property (readonly) NSArray *menuItemLabels;
@property (readonly) NSArray *menuItemLabelsTooltips;
@end

@interface ICScannerFeatureRange : ICScannerFeature {
@private
  CGFloat _currentValue, _defaultValue, _minValue, _maxValue, _stepSize;
}
@property (assign) CGFloat currentValue;
@property (readonly) CGFloat defaultValue;
@property (readonly) CGFloat minValue;
@property (readonly) CGFloat maxValue;
@property (readonly) CGFloat stepSize;
@end

@interface ICScannerFeatureBoolean : ICScannerFeature {
@private
  BOOL _value;
}
@property (readwrite) BOOL value;
@end

@interface ICScannerFeatureTemplate : ICScannerFeature
@property (readonly) NSArray *targets;
@end

typedef NS_ENUM(NSUInteger, ICScannerFunctionalUnitType) {
  ICScannerFunctionalUnitTypeFlatbed = 0,
  ICScannerFunctionalUnitTypePositiveTransparency = 1,
  ICScannerFunctionalUnitTypeNegativeTransparency = 2,
  ICScannerFunctionalUnitTypeDocumentFeeder = 3,
};

typedef NS_ENUM(NSUInteger, ICScannerMeasurementUnit) {
  ICScannerMeasurementUnitInches = 0,
  ICScannerMeasurementUnitCentimeters = 1,
  ICScannerMeasurementUnitPicas = 2,
  ICScannerMeasurementUnitPoints = 3,
  ICScannerMeasurementUnitTwips = 4,
  ICScannerMeasurementUnitPixels = 5,
};

typedef NS_ENUM(NSUInteger, ICScannerBitDepth) {
  ICScannerBitDepth1Bit = 1,
  ICScannerBitDepth8Bits = 8,
  ICScannerBitDepth16Bits = 16,
};

typedef NS_ENUM(NSUInteger, ICScannerPixelDataType) {
  ICScannerPixelDataTypeBW = 0,
  ICScannerPixelDataTypeGray = 1,
  ICScannerPixelDataTypeRGB = 2,
};

typedef NS_ENUM(NSUInteger, ICScannerDocumentType) {
  ICScannerDocumentTypeDefault = 0,
  ICScannerDocumentTypeA4 = 1,
  ICScannerDocumentTypeUSLetter = 3,
};

@interface ICScannerFunctionalUnit : NSObject {
@protected
  NSString *_folder;
  ICScannerFunctionalUnitType _type;
  ICScannerPixelDataType _pixelDataType;
  ICScannerBitDepth _bitDepth;
  ICScannerMeasurementUnit _measurementUnit;
  NSUInteger _resolution;
  NSIndexSet *_supportedResolutions;
  NSRect _scanArea;
  BOOL _usesThresholdForBlackAndWhiteScanning;
  unsigned char _thresholdForBlackAndWhiteScanning;
  NSArray *_features;
@public
  BOOL _scanInProgress;
}
@property (readonly) ICScannerFunctionalUnitType type;
@property (readwrite) ICScannerPixelDataType pixelDataType;
@property (readonly) NSIndexSet *supportedBitDepths;
@property (readwrite) ICScannerBitDepth bitDepth;
@property (readonly) NSIndexSet *supportedMeasurementUnits;
@property (readwrite) ICScannerMeasurementUnit measurementUnit;
@property (readonly) NSIndexSet *supportedResolutions;
@property (readonly) NSIndexSet *preferredResolutions;
@property (readwrite) NSUInteger resolution;
@property (readonly) NSUInteger nativeXResolution;
@property (readonly) NSUInteger nativeYResolution;
@property (readonly) NSSize physicalSize;
@property (readwrite) NSRect scanArea;
@property (readonly) BOOL acceptsThresholdForBlackAndWhiteScanning;
@property (readwrite) BOOL usesThresholdForBlackAndWhiteScanning;
@property (readonly) unsigned char defaultThresholdForBlackAndWhiteScanning;
@property (readwrite) unsigned char thresholdForBlackAndWhiteScanning;
@property (readonly) NSArray *vendorFeatures;
@property (readonly) BOOL scanInProgress;
@end

@interface ICScannerFunctionalUnitFlatbed : ICScannerFunctionalUnit
@property (readonly) NSIndexSet *supportedDocumentTypes;
@property (readwrite) ICScannerDocumentType documentType;
@end

@interface ICScannerFunctionalUnitDocumentFeeder : ICScannerFunctionalUnit {
@private
  ICScannerDocumentType _documentType;
  BOOL _duplexScanningEnabled;
}
@property (readonly) NSIndexSet *supportedDocumentTypes;
@property (readwrite) ICScannerDocumentType documentType;
@property (readonly) BOOL supportsDuplexScanning;
@property (readwrite) BOOL duplexScanningEnabled;
@property (readonly) BOOL documentLoaded;
@property (readonly) BOOL reverseFeederPageOrder;
@end
