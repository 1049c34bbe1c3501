/* A scanner: only one client at a time has a session with it. */
#import <ImageCaptureCore/ICDevice.h>
#import <ImageCaptureCore/ICScannerBandData.h>

typedef NS_ENUM(NSUInteger, ICScannerTransferMode) {
  ICScannerTransferModeFileBased = 0,
  ICScannerTransferModeMemoryBased = 1,
};

@class ICScannerDevice;

@protocol ICScannerDeviceDelegate <ICDeviceDelegate>
@required
/* Apple: @optional, all of them */
- (void)scannerDeviceDidBecomeAvailable:(ICScannerDevice *)scanner;
- (void)scannerDevice:(ICScannerDevice *)scanner didSelectFunctionalUnit:(ICScannerFunctionalUnit *)functionalUnit error:(NSError *)error;
- (void)scannerDevice:(ICScannerDevice *)scanner didScanToURL:(NSURL *)url;
- (void)scannerDevice:(ICScannerDevice *)scanner didScanToBandData:(ICScannerBandData *)data;
- (void)scannerDevice:(ICScannerDevice *)scanner didCompleteScanWithError:(NSError *)error;
@end

@interface ICScannerDevice : ICDevice {
@protected
  NSMutableArray *_units;
  ICScannerFunctionalUnit *_selectedFunctionalUnit;
  ICScannerTransferMode _transferMode;
  UInt32 _maxMemoryBandSize;
  NSURL *_downloadsDirectory;
  NSString *_documentName;
  NSString *_documentUTI;
  id _scan;
  int _lock;
}
@property (readonly) NSArray *availableFunctionalUnitTypes;
@property (readonly) ICScannerFunctionalUnit *selectedFunctionalUnit;
@property (assign) ICScannerTransferMode transferMode;
@property (assign) UInt32 maxMemoryBandSize;
@property (retain) NSURL *downloadsDirectory;
@property (copy) NSString *documentName;
@property (copy) NSString *documentUTI;
- (void)requestSelectFunctionalUnit:(ICScannerFunctionalUnitType)type;
- (void)requestScan;
- (void)cancelScan;
@end
