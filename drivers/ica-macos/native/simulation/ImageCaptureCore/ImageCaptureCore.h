/*
 * ImageCaptureCore as far as the helper uses it, for systems that have none: names, types and values are those of Apple's public headers for
 * macOS 12. What is optional in Apple's delegate protocols and implemented by the helper is required here, so that a misspelt method does not
 * compile. Availability and nullability are left out: gcc knows neither.
 */
#import <ImageCaptureCore/ImageCaptureConstants.h>
#import <ImageCaptureCore/ICDevice.h>
#import <ImageCaptureCore/ICDeviceBrowser.h>
#import <ImageCaptureCore/ICScannerFunctionalUnits.h>
#import <ImageCaptureCore/ICScannerBandData.h>
#import <ImageCaptureCore/ICScannerDevice.h>
