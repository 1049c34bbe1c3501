#include "picture.h"

#include <algorithm>
#include <math.h>
#include <string.h>
#include <utility>
#include <windows.h>

namespace picture {

int bits(int type) { return type == BLACK ? 1 : type == RGB ? 24 : 8; }

int rowBytes(const Page &page) { return (page.width * bits(page.type) + 7) / 8; }

/* As sRGB is weighted for people. */
static int greyOf(int plain) { return (2126 * (plain >> 16) + 7152 * (plain >> 8 & 255) + 722 * (plain & 255) + 5000) / 10000; }

static int grey(const Page &page, int x, int y) {
  if (page.plain >= 0) return greyOf(page.plain);
  const Tone &tone = page.tone;
  bool isMark = x >= tone.mark && x < 2 * tone.mark && y >= tone.mark && y < 2 * tone.mark;
  int level = tone.mark ? (isMark ? 32 : 224) : (3 * x + 5 * y + 31 * page.sheet + 101 * page.side + tone.ink) & 255;
  if (tone.brightness == 0 && tone.contrast == 0) return level;
  return (int)std::max(0.0, std::min(255.0, floor((level - 128) * (1 + tone.contrast / 1000) + 128 + tone.brightness / 8)));
}

static bool isBlack(const Page &page, int x, int y) {
  if (page.tone.threshold >= 0 || page.tone.mark) return grey(page, x, y) < (page.tone.threshold >= 0 ? page.tone.threshold : 128);
  return ((x + 2 * y + 5 * page.sheet + 3 * page.side) >> 2 & 1) != 0;
}

void color(int index, uint8_t rgb[3]) {
  rgb[0] = (uint8_t)(index * 17);
  rgb[1] = (uint8_t)(255 - index * 16);
  rgb[2] = (uint8_t)(index * 5 + 90);
}

void row(const Page &page, int line, uint8_t *to) {
  int y = page.top + line;
  if (page.type == BLACK) memset(to, 0, (size_t)rowBytes(page));
  for (int i = 0, x = page.left; i < page.width; i++, x++) switch (page.type) {
    case BLACK:
      if (isBlack(page, x, y) == page.vanilla) to[i >> 3] |= (uint8_t)(0x80 >> (i & 7));
      break;
    case GRAY: to[i] = (uint8_t)(page.vanilla ? 255 - grey(page, x, y) : grey(page, x, y)); break;
    case PALETTE: to[i] = (uint8_t)(((x >> 2) + (y >> 3) + page.sheet + 3 * page.side) & 15); break;
    default:
      to[3 * i] = (uint8_t)grey(page, x, y);
      to[3 * i + 1] = (uint8_t)(x + 7 * y + 13 * page.sheet);
      to[3 * i + 2] = (uint8_t)(9 * x + y + 57 * page.side);
      for (int c = 0; page.plain >= 0 && c < 3; c++) to[3 * i + c] = (uint8_t)(page.plain >> (16 - 8 * c));
      if (page.swapped) std::swap(to[3 * i], to[3 * i + 2]);
  }
}

static void palette(const Page &page, uint8_t *to) {
  int count = page.type == BLACK ? 2 : 256;
  for (int i = 0; i < count; i++) {
    int level = page.type == BLACK ? 255 * i : i;
    uint8_t value = (uint8_t)(page.vanilla ? 255 - level : level), rgb[3] = {value, value, value};
    if (page.type == PALETTE) color(i & 15, rgb);
    for (int c = 0; c < 3; c++) to[4 * i + c] = rgb[2 - c];
  }
}

std::vector<uint8_t> dib(const Page &page, bool topDown, int dpi) {
  size_t colors = page.type == RGB ? 0 : page.type == BLACK ? 2 : 256, stride = ((size_t)rowBytes(page) + 3) & ~(size_t)3;
  size_t head = sizeof(BITMAPINFOHEADER) + 4 * colors;
  BITMAPINFOHEADER header = {};
  header.biSize = sizeof header;
  header.biWidth = page.width;
  header.biHeight = topDown ? -page.height : page.height;
  header.biPlanes = 1;
  header.biBitCount = (WORD)bits(page.type);
  header.biXPelsPerMeter = header.biYPelsPerMeter = (LONG)(dpi / 0.0254 + 0.5);
  std::vector<uint8_t> bytes(head + stride * (size_t)page.height);
  memcpy(bytes.data(), &header, sizeof header);
  if (colors) palette(page, bytes.data() + sizeof header);
  for (int y = 0; y < page.height; y++) {
    uint8_t *at = bytes.data() + head + stride * (size_t)(topDown ? y : page.height - 1 - y);
    row(page, y, at);
    if (page.type == RGB) for (int x = 0; x < page.width; x++) std::swap(at[3 * x], at[3 * x + 2]);
  }
  return bytes;
}

}  // namespace picture
