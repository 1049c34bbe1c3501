/* A scan of a simulated scanner: pages in bands or files, one step per pass of the run loop. */
#import "body.h"

@interface SimulatedScan : NSObject {
@private
  ICScannerDevice *_device; /* not retained */
  ICScannerFunctionalUnit *_unit;
  NSString *_folder, *_sheet;
  BOOL _isFeeder, _isCancelled, _isOver;
  BOOL _isStuck; /* in a jam that it reports again and again */
  int _sheets, _side, _sides, _files;
  NSUInteger _row;
  struct page *_page;
}
- (id)initWithDevice:(ICScannerDevice *)device;
- (void)begin;
- (void)cancel;
/* Makes no further calls. */
- (void)end;
@end
