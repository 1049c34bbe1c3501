/* One side of a sheet as a simulated scanner sees it. */
#import "body.h"

struct page;

/* `back` of the sheet in this file; nil: the document on the flatbed. The caller frees it. */
struct page *page_of(NSString *folder, NSString *sheet, BOOL back, ICScannerFunctionalUnit *unit);
NSUInteger page_height(const struct page *page);
/* As many rows as fit into this many bytes, at least one. */
NSUInteger page_rows(const struct page *page, NSUInteger bytes);
ICScannerBandData *page_band(struct page *page, NSUInteger row, NSUInteger rows);
/* Writes the whole page as a PNG. */
void page_write(struct page *page, NSString *path, BOOL isTorn);
void page_free(struct page *page);
