/* Draws pages row by row, in the layouts of real scanners. */
#import "page.h"
#include <stdlib.h>
#include "sheet.h"

static const double inch = 25.4;
enum { ALIGN = 16 };

struct page {
  struct sheet sheet;
  struct look look;
  BOOL isBack, isPadded, isFour;
  double top; /* millimetres of the sheet above the first row */
  NSUInteger height, dpi, row_bytes, stride;
  NSUInteger drawn;    /* the row that `row` holds; NSNotFound: none */
  unsigned char *row;  /* as sheet.h draws it */
  unsigned char *whole; /* for rows that are packed although reported as padded */
};

struct page *page_of(NSString *folder, NSString *sheet, BOOL back, ICScannerFunctionalUnit *unit) {
  struct page *page = calloc(1, sizeof *page);
  NSRect rectangle = [unit scanArea];
  NSSize area = rectangle.size;
  double per_inch = [unit measurementUnit] == ICScannerMeasurementUnitCentimeters ? 1 / 2.54 : 1;
  BOOL isColour = [unit pixelDataType] == ICScannerPixelDataTypeRGB;
  page->sheet = sheet != nil ? sheet_in([sheet fileSystemRepresentation]) : body_is(folder, @"document") ? document : sheet_in("/");
  page->dpi = [unit resolution];
  page->look = (struct look){.samples = isColour ? 3 : 1, .depth = [unit pixelDataType] == ICScannerPixelDataTypeBW ? 1 : 8,
                             .pixels = (int)(area.width * per_inch * (double)page->dpi), .pitch = inch / (double)page->dpi, .left = rectangle.origin.x * per_inch * inch,
                             .brightness = [unit brightness],
                             .threshold = [unit blackBelow]};
  page->top = rectangle.origin.y * per_inch * inch;
  page->isBack = back;
  page->height = (NSUInteger)(area.height * per_inch * (double)page->dpi);
  page->isFour = isColour && body_is(folder, @"rgb4");
  page->isPadded = !isColour && page->look.depth == 8 && body_is(folder, @"grey-stride");
  page->row_bytes = page->look.depth == 1 ? (NSUInteger)(page->look.pixels + 7) / 8 : (NSUInteger)page->look.pixels * (page->isFour ? 4 : (NSUInteger)page->look.samples);
  page->stride = page->isPadded ? (page->row_bytes / ALIGN + 1) * ALIGN : page->row_bytes;
  page->row = calloc((NSUInteger)page->look.pixels, 4);
  page->drawn = NSNotFound;
  return page;
}

void page_free(struct page *page) {
  if (page == NULL) return;
  free(page->row);
  free(page->whole);
  free(page);
}

NSUInteger page_height(const struct page *page) { return page->height; }

NSUInteger page_rows(const struct page *page, NSUInteger bytes) {
  NSUInteger rows = bytes / page->stride;
  return rows == 0 ? 1 : rows;
}

static double place_of(const struct page *page, NSUInteger row) { return page->top + ((double)row + 0.5) * page->look.pitch; }

/* The rows of a sheet that is not a document are alike between its white mark's end, its black mark's edges and its own end. */
static BOOL is_drawn(const struct page *page, NSUInteger row) {
  const struct sheet *sheet = &page->sheet;
  double edges[] = {sheet->height / 5, sheet->mark[1], sheet->mark[1] + sheet->mark[3], sheet->height}, y = place_of(page, row);
  if (page->drawn == NSNotFound || sheet->kind == DOCUMENT) return NO;
  for (int i = 0; i < 4; i++) if ((y < edges[i]) != (place_of(page, page->drawn) < edges[i])) return NO;
  return YES;
}

/* In 1-bit rows 1 is white, as in all grey formats of Core Graphics; in sheet.h 1 is black. */
static void put_row(struct page *page, NSUInteger row, unsigned char *to) {
  if (!is_drawn(page, row)) draw_row(&page->sheet, page->isBack, place_of(page, row), &page->look, page->row);
  page->drawn = row;
  if (page->look.depth == 1) for (NSUInteger i = 0; i < page->row_bytes; i++) to[i] = (unsigned char)~page->row[i];
  else if (!page->isFour) memcpy(to, page->row, page->row_bytes);
  else for (NSUInteger i = 0; i < (NSUInteger)page->look.pixels; i++) {
    memcpy(to + 4 * i, page->row + 3 * i, 3);
    to[4 * i + 3] = 0x55;
  }
}

/* The page without padding between its rows or after the last one. */
static unsigned char *packed(struct page *page) {
  if (page->whole != NULL) return page->whole;
  page->whole = calloc(page->height, page->stride);
  for (NSUInteger row = 0; row < page->height; row++) put_row(page, row, page->whole + row * page->row_bytes);
  return page->whole;
}

ICScannerBandData *page_band(struct page *page, NSUInteger row, NSUInteger rows) {
  ICScannerBandData *band = [[[ICScannerBandData alloc] init] autorelease];
  NSMutableData *data = [NSMutableData dataWithLength:rows * page->stride];
  unsigned char *bytes = [data mutableBytes];
  if (page->isPadded) memcpy(bytes, packed(page) + row * page->stride, rows * page->stride);
  else for (NSUInteger i = 0; i < rows; i++) put_row(page, row + i, bytes + i * page->stride);
  band->_fullImageWidth = (NSUInteger)page->look.pixels;
  band->_fullImageHeight = page->height;
  band->_bitsPerComponent = (NSUInteger)page->look.depth;
  band->_numComponents = page->isFour ? 4 : (NSUInteger)page->look.samples;
  band->_bitsPerPixel = band->_bitsPerComponent * band->_numComponents;
  band->_bytesPerRow = page->stride;
  band->_dataStartRow = row;
  band->_dataNumRows = rows;
  band->_dataSize = [data length];
  band->_pixelDataType = page->look.samples == 3 ? ICScannerPixelDataTypeRGB : page->look.depth == 1 ? ICScannerPixelDataTypeBW : ICScannerPixelDataTypeGray;
  band->_dataBuffer = [data retain];
  return band;
}

@implementation ICScannerBandData
@synthesize fullImageWidth = _fullImageWidth, fullImageHeight = _fullImageHeight, bitsPerPixel = _bitsPerPixel, bitsPerComponent = _bitsPerComponent;
@synthesize numComponents = _numComponents, pixelDataType = _pixelDataType, bytesPerRow = _bytesPerRow, dataStartRow = _dataStartRow;
@synthesize dataNumRows = _dataNumRows, dataSize = _dataSize, dataBuffer = _dataBuffer;

- (void)dealloc {
  [_dataBuffer release];
  [super dealloc];
}

- (BOOL)isBigEndian {
  return NO;
}
@end

/* ---- files ---- */

/* An uncompressed PNG. */
static void put32(NSMutableData *to, uint32_t value) {
  unsigned char bytes[4] = {(unsigned char)(value >> 24), (unsigned char)(value >> 16), (unsigned char)(value >> 8), (unsigned char)value};
  [to appendBytes:bytes length:4];
}

static uint32_t crc_of(const unsigned char *bytes, NSUInteger length) {
  static uint32_t table[256];
  uint32_t crc = 0xffffffff;
  for (uint32_t i = 0; table[255] == 0 && i < 256; i++) {
    table[i] = i;
    for (int bit = 0; bit < 8; bit++) table[i] = table[i] & 1 ? 0xedb88320 ^ table[i] >> 1 : table[i] >> 1;
  }
  for (NSUInteger i = 0; i < length; i++) crc = table[(crc ^ bytes[i]) & 0xff] ^ crc >> 8;
  return ~crc;
}

static void put_chunk(NSMutableData *to, const char *type, NSData *data) {
  NSMutableData *chunk = [NSMutableData dataWithBytes:type length:4];
  [chunk appendData:data];
  put32(to, (uint32_t)[data length]);
  [to appendData:chunk];
  put32(to, crc_of([chunk bytes], [chunk length]));
}

/* One stored deflate block per row. */
static NSData *rows_of(struct page *page) {
  NSMutableData *rows = [NSMutableData dataWithBytes:"\x78\x01" length:2];
  NSUInteger length = page->row_bytes + 1;
  unsigned char *row = calloc(length, 1);
  uint32_t a = 1, b = 0;
  for (NSUInteger y = 0; y < page->height; y++) {
    unsigned char head[5] = {y + 1 == page->height, (unsigned char)length, (unsigned char)(length >> 8), (unsigned char)~length, (unsigned char)(~length >> 8)};
    put_row(page, y, row + 1);
    for (NSUInteger i = 0; i < length; i++) b = (b + (a = (a + row[i]) % 65521)) % 65521;
    [rows appendBytes:head length:5];
    [rows appendBytes:row length:length];
  }
  free(row);
  put32(rows, b << 16 | a);
  return rows;
}

void page_write(struct page *page, NSString *path, BOOL isTorn) {
  NSMutableData *file = [NSMutableData dataWithBytes:"\x89PNG\r\n\x1a\n" length:8], *header = [NSMutableData data], *physical = [NSMutableData data];
  unsigned char kind[5] = {(unsigned char)page->look.depth, page->look.samples == 1 ? 0 : 2};
  page->isFour = NO;
  page->row_bytes = page->look.depth == 1 ? page->row_bytes : (NSUInteger)(page->look.pixels * page->look.samples);
  put32(header, (uint32_t)page->look.pixels);
  put32(header, (uint32_t)page->height);
  [header appendBytes:kind length:5];
  for (int i = 0; i < 2; i++) put32(physical, (uint32_t)((double)page->dpi / 0.0254 + 0.5));
  [physical appendBytes:"\x01" length:1];
  put_chunk(file, "IHDR", header);
  put_chunk(file, "pHYs", physical);
  put_chunk(file, "IDAT", rows_of(page));
  put_chunk(file, "IEND", [NSData data]);
  if (isTorn) [file setLength:[file length] / 2];
  [file writeToFile:path atomically:NO];
}
