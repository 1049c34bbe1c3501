/* The pictures on the sheets: a formula of position, sheet and side, so that a test knows each pixel. */
#pragma once
#include <stdint.h>
#include <vector>

namespace picture {

/* TWAIN's numbers. */
enum Type { BLACK = 0, GRAY = 1, RGB = 2, PALETTE = 3 };

/* The levels in TWAIN's scale; `threshold` -1: the picture's own black; `ink` is added to every level; `mark` > 0: its size in pixels. */
struct Tone { double brightness, contrast; int threshold, ink, mark; };

/* `left` and `top`: pixels of the sheet that lie before the page. `plain`: 0xrrggbb all over, in grey and colour; -1: the picture. */
struct Page { int sheet, side, type, width, height; bool vanilla, swapped; int left, top; Tone tone; int plain; };

int bits(int type);
int rowBytes(const Page &page);
/* The row without padding. BLACK and GRAY: 0 is black, unless `vanilla`. */
void row(const Page &page, int y, uint8_t *to);
/* PALETTE's 16 colours: red, green, blue. */
void color(int index, uint8_t rgb[3]);
/* A device-independent bitmap, with its header. */
std::vector<uint8_t> dib(const Page &page, bool topDown, int dpi);

}  // namespace picture
