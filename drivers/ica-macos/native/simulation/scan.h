/* A scan of a simulated scanner: pages in bands or files, one step of the run loop after the other. */
#import "body.h"

@interface SimulatedScan : NSObject {
@private
  ICScannerDevice *_device; /* whose it is */
  ICScannerFunctionalUnit *_unit;
  NSString *_folder, *_sheet;
  BOOL _isFeeder, _isCancelled, _isOver;
  BOOL _isStuck; /* in a jam that was told: it is told again and again */
  int _sheets, _side, _sides, _files;
  NSUInteger _row;
  struct page *_page;
}
- (id)initWithDevice:(ICScannerDevice *)device;
- (void)begin;
- (void)cancel;
/* Says nothing any more. */
- (void)end;
@end
