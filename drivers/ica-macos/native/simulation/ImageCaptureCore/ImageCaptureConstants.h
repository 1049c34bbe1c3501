/* The return codes that the simulation uses. */
#import <Foundation/Foundation.h>

typedef uint32_t UInt32; /* MacTypes.h */

extern NSErrorDomain const ICErrorDomain;

typedef NS_ENUM(NSInteger, ICReturnConnectionErrorCode) {
  ICReturnConnectionClosedSessionSuddenly = -21349,
  ICReturnConnectionFailedToOpen = -21345,
};

typedef NS_ENUM(NSInteger, ICReturnCode) {
  ICReturnSuccess = 0,
  ICReturnInvalidParam = -9922,
  ICReturnCommunicationTimedOut = -9923,
  ICReturnScanOperationCanceled = -9924,
  ICReturnScannerInUseByLocalUser = -9925,
  ICReturnScannerInUseByRemoteUser = -9926,
  ICReturnDeviceFailedToOpenSession = -9927,
  ICReturnScannerFailedToSelectFunctionalUnit = -9929,
  ICReturnScannerFailedToCompleteScan = -9931,
  ICReturnReceivedUnsolicitedScannerErrorInfo = -9933,
  ICReturnDeviceNeedsCredentials = -9953,
};
