/* A device. It always calls its delegate on the main thread. */
#import <ImageCaptureCore/ImageCaptureConstants.h>

typedef NS_ENUM(NSUInteger, ICDeviceType) {
  ICDeviceTypeCamera = 0x00000001,
  ICDeviceTypeScanner = 0x00000002,
};

typedef NS_ENUM(NSUInteger, ICDeviceTypeMask) {
  ICDeviceTypeMaskCamera = 0x00000001,
  ICDeviceTypeMaskScanner = 0x00000002,
};

typedef NS_ENUM(NSUInteger, ICDeviceLocationType) {
  ICDeviceLocationTypeLocal = 0x00000100,
};

typedef NS_ENUM(NSUInteger, ICDeviceLocationTypeMask) {
  ICDeviceLocationTypeMaskLocal = 0x00000100,
  ICDeviceLocationTypeMaskShared = 0x00000200,
  ICDeviceLocationTypeMaskBonjour = 0x00000400,
  ICDeviceLocationTypeMaskBluetooth = 0x00000800,
  ICDeviceLocationTypeMaskRemote = 0x0000FE00,
};

typedef NSString *ICDeviceTransport;
extern ICDeviceTransport const ICTransportTypeUSB;

typedef NSString *ICDeviceStatus;
extern ICDeviceStatus const ICStatusNotificationKey;
extern ICDeviceStatus const ICLocalizedStatusNotificationKey;

@class ICDevice;

@protocol ICDeviceDelegate <NSObject>
@required
- (void)device:(ICDevice *)device didCloseSessionWithError:(NSError *)error;
- (void)didRemoveDevice:(ICDevice *)device;
- (void)device:(ICDevice *)device didOpenSessionWithError:(NSError *)error;
/* Apple: @optional */
- (void)deviceDidBecomeReady:(ICDevice *)device;
- (void)device:(ICDevice *)device didReceiveStatusInformation:(NSDictionary *)status;
- (void)device:(ICDevice *)device didEncounterError:(NSError *)error;
@end

@interface ICDevice : NSObject {
@protected
  id<ICDeviceDelegate> _delegate;
  NSString *_identity;
  NSString *_folder;
  BOOL _hasOpenSession;
}
@property (nonatomic, readwrite, assign) id<ICDeviceDelegate> delegate;
@property (nonatomic, readonly) ICDeviceType type;
@property (nonatomic, readonly, copy) NSString *name;
@property (nonatomic, readonly, copy) NSString *productKind;
@property (nonatomic, readonly, copy) NSString *transportType;
@property (nonatomic, readonly, copy) NSString *UUIDString;
@property (nonatomic, readonly) NSString *locationDescription;
@property (nonatomic, readonly) BOOL hasOpenSession;
@property (nonatomic, readonly) NSString *persistentIDString;
- (void)requestOpenSession;
- (void)requestCloseSession;
@end
