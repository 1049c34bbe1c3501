/* Some rows of the page being scanned. */
#import <ImageCaptureCore/ICScannerFunctionalUnits.h>

@interface ICScannerBandData : NSObject {
@public
  NSUInteger _fullImageWidth, _fullImageHeight, _bitsPerPixel, _bitsPerComponent, _numComponents, _bytesPerRow, _dataStartRow, _dataNumRows, _dataSize;
  ICScannerPixelDataType _pixelDataType;
  NSData *_dataBuffer;
}
@property (readonly) NSUInteger fullImageWidth;
@property (readonly) NSUInteger fullImageHeight;
@property (readonly) NSUInteger bitsPerPixel;
@property (readonly) NSUInteger bitsPerComponent;
@property (readonly) NSUInteger numComponents;
@property (readonly, getter=isBigEndian) BOOL bigEndian;
@property (readonly) ICScannerPixelDataType pixelDataType;
@property (readonly) NSUInteger bytesPerRow;
@property (readonly) NSUInteger dataStartRow;
@property (readonly) NSUInteger dataNumRows;
@property (readonly) NSUInteger dataSize;
@property (readonly, retain) NSData *dataBuffer;
@end
