/*
 * Scanners of the tests' own, as folders in PLATEN_ICA_SIMULATION; a folder's name is the scanner's id. In it, of which only `is` must be there:
 *
 *   is             words: flatbed feeder duplex sensor document (on the glass) reversed remote (of the network), and of quirks
 *                  grey-stride (bytesPerRow aligned, rows packed) rgb4 (four components) no-bw empty-error (a batch ends with the feeder's
 *                  error) unsolicited (selects by itself once more) german (its words)
 *                  tells (what the scanner says, such as that it has no paper, is no error of the scan, which completes) only-tells (nor does it; a jam is
 *                  told again and again)
 *                  unsaid (that it is gone, only the browser says)
 *   name           what it is called
 *   resolutions    "75 150 300", or "75-19200"
 *   area           millimetres, "216 297"
 *   side-ms        how long a side takes
 *   feeder/        a file is a sheet (drivers/sane/native/simulation/sheet.h); when all of it is scanned it goes, or to scanned/ where that is
 *   fault          "2 jam", "always jam": what the second sheet of a scan, or every one, meets; "0 busy": the opening, and what follows it
 *   off            where it is, the scanner is unplugged
 */
#ifndef PLATEN_ICA_BODY_H
#define PLATEN_ICA_BODY_H
#import <ImageCaptureCore/ImageCaptureCore.h>

BOOL body_is(NSString *folder, NSString *word);
/* A file's text without what surrounds it; `absent` where there is none. */
NSString *body_text(NSString *folder, NSString *file, NSString *absent);
BOOL body_has(NSString *folder, NSString *file);
/* What this sheet meets; nil: nothing. */
NSString *body_fault(NSString *folder, int sheet);
BOOL body_meets(NSString *folder, int sheet, NSString *fault);
/* The paths of the sheets that lie in the feeder, the first one first. */
NSArray *body_sheets(NSString *folder);
void body_scanned(NSString *folder, NSString *sheet);
void body_unplug(NSString *folder);
/* The words are the scanner's, in its language. */
NSError *body_error(NSString *folder, NSInteger code, NSString *words, NSString *german);

@interface ICDevice (Simulation)
- (id)initWithFolder:(NSString *)folder;
- (NSString *)folder;
- (void)unplugged;
@end

@interface ICScannerFunctionalUnit (Simulation)
- (id)initWithFolder:(NSString *)folder type:(ICScannerFunctionalUnitType)type;
@end
#endif
