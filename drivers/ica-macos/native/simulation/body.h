/*
 * Scanners that the tests simulate: each is a folder in PLATEN_ICA_SIMULATION, and the folder's name is its id. Only the file `is` is required:
 *
 *   is             words: flatbed feeder duplex sensor document (on the flatbed) reversed remote (on the network), and quirks:
 *                  grey-stride (bytesPerRow aligned, rows packed) rgb4 (four components) no-bw empty-error (a batch ends with the empty feeder's
 *                  error) unsolicited (selects a unit again without a request) german (its messages)
 *                  tells (an error such as an empty feeder goes to the device's delegate, and the scan completes) only-tells (the scan never completes; a jam is
 *                  reported again and again)
 *                  unsaid (only the browser reports that it was disconnected)
 *   name           its name
 *   resolutions    "75 150 300", or "75-19200"
 *   area           millimetres, "216 297"
 *   side-ms        duration of a side
 *   feeder/        each file is a sheet (drivers/sane/native/simulation/sheet.h); a scanned sheet is deleted, or moved to scanned/ if that exists
 *   fault          "2 jam", "always jam": the fault of a scan's second sheet, or of every sheet; "0 busy": of the opening and what follows it
 *   off            if it exists, the scanner is unplugged
 */
#ifndef PLATEN_ICA_BODY_H
#define PLATEN_ICA_BODY_H
#import <ImageCaptureCore/ImageCaptureCore.h>

BOOL body_is(NSString *folder, NSString *word);
/* A file's text, trimmed; `absent` if there is no file. */
NSString *body_text(NSString *folder, NSString *file, NSString *absent);
BOOL body_has(NSString *folder, NSString *file);
/* This sheet's fault; nil: none. */
NSString *body_fault(NSString *folder, int sheet);
BOOL body_meets(NSString *folder, int sheet, NSString *fault);
/* The paths of the sheets in the feeder, in order. */
NSArray *body_sheets(NSString *folder);
void body_scanned(NSString *folder, NSString *sheet);
void body_unplug(NSString *folder);
/* The message is the scanner's, in its language. */
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
