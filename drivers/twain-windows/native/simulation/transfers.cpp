#include <algorithm>
#include <math.h>
#include <set>
#include <stdlib.h>
#include <string.h>

#include "paper.h"
#include "picture.h"
#include "source.h"
#include "state.h"

static std::set<HANDLE> given;

HANDLE give(const void *bytes, size_t size) {
  HANDLE memory = GlobalAlloc(GHND, size);
  void *at = memory ? GlobalLock(memory) : nullptr;
  if (!at) return nullptr;
  memcpy(at, bytes, size);
  GlobalUnlock(memory);
  given.insert(memory);
  return memory;
}

/* Freed memory has no size. */
size_t notFreed() {
  return (size_t)std::count_if(given.begin(), given.end(), [](HANDLE each) { return GlobalSize(each) != 0; });
}

namespace transfers {

/* The progress of the image's strips. */
static uint32_t atRow, atColumn;

void rewind() { atRow = atColumn = 0; }

/* Of the sheet's place in the list; -1: none. */
static int plainOf(const paper::Image &image) {
  std::string all = state::text("colors", "");
  for (int sheet = 1; sheet < image.sheet && !all.empty(); sheet++) all.erase(0, std::min(all.find(','), all.size() - 1) + 1);
  return all.empty() ? -1 : (int)strtol(all.c_str(), nullptr, 16);
}

static picture::Page pageOf(const paper::Image &image) {
  twain::ImageLayout layout;
  capabilities::layout(twain::GET, &layout);
  auto size = [](const twain::Fix32 &to, uint16_t resolution) { return (int)floor((to.whole + to.fraction / 65536.0) * capabilities::value(resolution) + 0.5); };
  int left = size(layout.frame.left, XRESOLUTION), top = size(layout.frame.top, YRESOLUTION);
  int width = size(layout.frame.right, XRESOLUTION) - left, height = size(layout.frame.bottom, YRESOLUTION) - top;
  if (capabilities::value(BORDERDETECTION)) {
    width = (int)floor(5.83 * capabilities::value(XRESOLUTION) + 0.5);
    height = (int)floor(8.27 * capabilities::value(YRESOLUTION) + 0.5);
  }
  /* Like the Working Group's sample source, treats the bit order as the colour order. */
  bool swapped = state::number("swaps", 0) != 0 && capabilities::value(BITORDER) == 1;
  bool fixedThreshold = capabilities::value(AUTOBRIGHT) == 0 && capabilities::value(BITDEPTHREDUCTION) == 0 && state::number("extras", 0) != 0;
  picture::Tone tone = {capabilities::value(BRIGHTNESS), capabilities::value(CONTRAST), fixedThreshold ? (int)capabilities::value(THRESHOLD) : -1,
                        (int)capabilities::value(INK), state::number("mark", 0) ? (int)capabilities::value(XRESOLUTION) : 0};
  return {image.sheet, image.side, (int)capabilities::value(PIXELTYPE), width, height, capabilities::value(PIXELFLAVOR) == 1, swapped, left, top, tone, plainOf(image)};
}

/* The result for an image whose sheet has a fault; some of its rows may have been transferred. */
static twain::Condition meet(const std::string &fault) {
  if (fault == "crash") *(volatile int *)nullptr = 0;
  if (fault == "hang") Sleep(INFINITE);
  return fault == "jam" ? twain::PAPERJAM : fault == "doublefeed" ? twain::PAPERDOUBLEFEED : fault == "coveropen" ? twain::INTERLOCK
       : fault == "offline" ? twain::CHECKDEVICEONLINE : fault == "nomedia" ? twain::NOMEDIA : fault.empty() ? twain::FINE : twain::OPERATIONERROR;
}

Answer info(twain::ImageInfo *to) {
  paper::Image image;
  if (!paper::current(image)) return failure(twain::SEQERROR);
  picture::Page page = pageOf(image);
  bool unknown = image.sheet > 0 && state::number("unknownlength", 0) != 0;
  *to = twain::ImageInfo();
  to->xResolution.whole = (int16_t)capabilities::value(XRESOLUTION);
  to->yResolution.whole = (int16_t)capabilities::value(YRESOLUTION);
  to->width = page.width;
  to->length = unknown ? -1 : page.height;
  to->samples = page.type == picture::RGB ? 3 : 1;
  for (int i = 0; i < to->samples; i++) to->bitsPerSample[i] = (int16_t)(picture::bits(page.type) / to->samples);
  to->bitsPerPixel = (int16_t)picture::bits(page.type);
  to->pixelType = (int16_t)page.type;
  return {twain::SUCCESS, 0};
}

Answer setup(twain::SetupMemXfer *to) {
  *to = {1024, 1u << 20, (uint32_t)state::number("preferred", 65536)};
  return {twain::SUCCESS, 0};
}

Answer native(HANDLE *to) {
  paper::Image image;
  if (!paper::current(image)) return failure(twain::SEQERROR);
  Sleep((DWORD)state::number("pageMs", 0));
  twain::Condition trouble = meet(image.fault);
  if (trouble != twain::FINE) return failure(trouble);
  std::vector<uint8_t> bytes = picture::dib(pageOf(image), state::number("topdown", 0) != 0, (int)capabilities::value(XRESOLUTION));
  *to = give(bytes.data(), bytes.size());
  return *to ? Answer{twain::XFERDONE, 0} : failure(twain::LOWMEMORY);
}

/* At most `tiles` pixels wide and `rows` high, each row with `stride` garbage bytes after it. */
Answer memory(twain::MemXfer *strip) {
  paper::Image image;
  if (!paper::current(image)) return failure(twain::SEQERROR);
  picture::Page page = pageOf(image);
  if (atRow == 0 && atColumn == 0) Sleep((DWORD)state::number("pageMs", 0));
  if (!image.fault.empty() && (atRow > 0 || image.fault == "crash")) {
    twain::Condition trouble = meet(image.fault);
    if (trouble != twain::FINE) return failure(trouble);
  }
  uint32_t bits = (uint32_t)picture::bits(page.type), width = (uint32_t)page.width, height = (uint32_t)page.height;
  uint32_t tile = (uint32_t)state::number("tiles", 0) & ~7u, columns = tile ? std::min(tile, width - atColumn) : width;
  uint32_t used = (columns * bits + 7) / 8, stride = used + (uint32_t)state::number("stride", 0), most = strip->memory.length / stride;
  uint32_t rows = std::min(std::min(most, height - atRow), (uint32_t)state::number("rows", 1 << 20));
  if (rows == 0) return failure(twain::BADVALUE);
  /* At most half of a page that will have a fault. */
  if (!image.fault.empty()) rows = std::min(rows, std::max(1u, height / 2));
  std::vector<uint8_t> whole((size_t)picture::rowBytes(page));
  uint8_t *to = (uint8_t *)strip->memory.at;
  memset(to, 0xa5, (size_t)stride * rows);
  for (uint32_t y = 0; y < rows; y++) {
    picture::row(page, (int)(atRow + y), whole.data());
    memcpy(to + (size_t)y * stride, whole.data() + atColumn * bits / 8, used);
  }
  twain::Memory own = strip->memory;
  *strip = {0, stride, columns, rows, atColumn, atRow, stride * rows, own};
  atColumn += columns;
  if (atColumn < width) return {twain::SUCCESS, 0};
  atColumn = 0;
  atRow += rows;
  return {(uint16_t)(atRow < height ? twain::SUCCESS : twain::XFERDONE), 0};
}

}  // namespace transfers
