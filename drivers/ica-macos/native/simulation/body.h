/*
 * Scanners that the tests simulate: each is a folder in PLATEN_ICA_SIMULATION, and the folder's name is its id. Only the file `is` is required:
 *
 *   is             words: flatbed feeder duplex sensor document (on the flatbed) reversed remote (on the network), and quirks:
 *                  grey-stride (bytesPerRow aligned, rows packed) rgb4 (four components) no-bw (which only a scan shows) no-1bit empty-error (a batch ends with the empty feeder's
 *                  error) unsolicited (selects a unit again without a request) german (its messages)
 *                  tells (an error such as an empty feeder goes to the device's delegate, and the scan completes) only-tells (the scan never completes; a jam is
 *                  reported again and again)
 *                  unsaid (only the browser reports that it was disconnected)
 *                  threshold (takes one for 1-bit pages) threshold-stuck (takes none, although it says so) features-throw (reading the vendor's features throws)
 *   name           its name
 *   resolutions    "75 150 300", or "75-19200"
 *   area           millimetres, "216 297"
 *   features       the vendor's, a line for each: kind|internal name|title|tooltip|facts. An empty text is nil. Kinds and their facts: enumeration "0=Off,2=Text",
 *                  the first is the default; range "-50,50,5,0", minimum, maximum, step, default (one whose name ends in BRIGHTNESS acts on pages); boolean "1";
 *                  template "". Words before the kind: stuck (keeps its value) throws (its title throws) colour (exists in colour only)
 *   side-ms        duration of a side
 *   feeder/        each file is a sheet (drivers/sane/native/simulation/sheet.h); a scanned sheet is deleted, or moved to scanned/ if that exists
 *   fault          "2 jam", "always jam": the fault of a scan's second sheet, or of every sheet; "0 busy": of the opening and what follows it.
 *                  "2 torn": a band of the second sheet is lost, or half of its file, without an error
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

@interface ICScannerFeature (Simulation)
+ (NSArray *)featuresIn:(NSString *)folder;
- (id)initWithWords:(NSArray *)words;
/* Whether the word stands before its kind. */
- (BOOL)is:(NSString *)quirk;
- (NSArray *)facts;
@end

@interface ICScannerFunctionalUnit (Simulation)
- (id)initWithFolder:(NSString *)folder type:(ICScannerFunctionalUnitType)type;
/* What its pages are drawn with. */
- (int)brightness;
- (int)blackBelow;
@end
#endif
