/* Finds devices. */
#import <ImageCaptureCore/ICDevice.h>

@class ICDeviceBrowser;

@protocol ICDeviceBrowserDelegate <NSObject>
@required
- (void)deviceBrowser:(ICDeviceBrowser *)browser didAddDevice:(ICDevice *)device moreComing:(BOOL)moreComing;
- (void)deviceBrowser:(ICDeviceBrowser *)browser didRemoveDevice:(ICDevice *)device moreGoing:(BOOL)moreGoing;
/* Apple: @optional */
- (void)deviceBrowserDidEnumerateLocalDevices:(ICDeviceBrowser *)browser;
@end

@interface ICDeviceBrowser : NSObject {
@private
  id<ICDeviceBrowserDelegate> _delegate;
  ICDeviceTypeMask _browsedDeviceTypeMask;
  NSMutableDictionary *_known;
  NSTimer *_timer;
  BOOL _enumerated;
}
@property (assign) id<ICDeviceBrowserDelegate> delegate;
@property (readonly, getter=isBrowsing) BOOL browsing;
@property (readwrite) ICDeviceTypeMask browsedDeviceTypeMask;
@property (readonly) NSArray *devices;
- (void)start;
- (void)stop;
@end
