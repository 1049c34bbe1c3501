/* The pictures on the sheets: a formula of position, sheet and side, so that a test knows each pixel. */
#pragma once
#include <stdint.h>
#include <vector>

namespace picture {

/* TWAIN's numbers. */
enum Type { BLACK = 0, GRAY = 1, RGB = 2, PALETTE = 3 };

struct Page { int sheet, side, type, width, height; bool vanilla, swapped; };

int bits(int type);
int rowBytes(const Page &page);
/* The row without padding. BLACK and GRAY: 0 is black, unless `vanilla`. */
void row(const Page &page, int y, uint8_t *to);
/* PALETTE's 16 colours: red, green, blue. */
void color(int index, uint8_t rgb[3]);
/* A device-independent bitmap, with its header. */
std::vector<uint8_t> dib(const Page &page, bool topDown, int dpi);

}  // namespace picture
