/*
 * The part of ImageCaptureCore that the helper uses, for systems without it. Names, types and values are those of Apple's public headers for
 * macOS 12. Delegate methods that are optional in Apple's headers and implemented by the helper are required here, so that a misspelt method does not
 * compile. Availability and nullability are omitted, because gcc supports neither.
 */
#import <ImageCaptureCore/ImageCaptureConstants.h>
#import <ImageCaptureCore/ICDevice.h>
#import <ImageCaptureCore/ICDeviceBrowser.h>
#import <ImageCaptureCore/ICScannerFunctionalUnits.h>
#import <ImageCaptureCore/ICScannerBandData.h>
#import <ImageCaptureCore/ICScannerDevice.h>
