/* The parts of the simulated source: memory for the application, capabilities, transfers. */
#pragma once
#include "../twain.h"

/* Global memory that the application must free; blocks that it does not free are counted. */
HANDLE give(const void *bytes, size_t size);
size_t notFreed();

struct Answer {
  uint16_t rc;
  uint16_t cc;
};
inline Answer failure(twain::Condition condition) { return {twain::FAILURE, condition}; }

namespace capabilities {

void reset();
Answer serve(uint16_t message, twain::Capability *asked);
/* The current value, by the capability's number. */
double value(uint16_t cap);
void set(uint16_t cap, double value);
Answer layout(uint16_t message, twain::ImageLayout *asked);

}  // namespace capabilities

namespace transfers {

Answer info(twain::ImageInfo *to);
Answer setup(twain::SetupMemXfer *to);
Answer native(HANDLE *to);
Answer memory(twain::MemXfer *strip);
/* Restarts with the first strip at the next transfer. */
void rewind();

}  // namespace transfers

enum Cap : uint16_t {
  XFERCOUNT = 0x0001, COMPRESSION = 0x0100, PIXELTYPE = 0x0101, UNITS = 0x0102, XFERMECH = 0x0103, FEEDERENABLED = 0x1002, FEEDERLOADED = 0x1003,
  SUPPORTEDCAPS = 0x1005, AUTOFEED = 0x1007, INDICATORS = 0x100b, PAPERDETECTABLE = 0x100d, UICONTROLLABLE = 0x100e, DEVICEONLINE = 0x100f,
  AUTOSCAN = 0x1010, DUPLEX = 0x1012, DUPLEXENABLED = 0x1013, AUTOBRIGHT = 0x1100, BRIGHTNESS = 0x1101, CONTRAST = 0x1103, GAMMA = 0x1108, SHEETWIDTH = 0x1111, SHEETHEIGHT = 0x1112, XRESOLUTION = 0x1118,
  YRESOLUTION = 0x1119, BITORDER = 0x111c, PIXELFLAVOR = 0x111f, PLANARCHUNKY = 0x1120, SUPPORTEDSIZES = 0x1122, THRESHOLD = 0x1123, BITDEPTH = 0x112b,
  BITDEPTHREDUCTION = 0x112c, UNDEFINEDIMAGESIZE = 0x112d, NOISEFILTER = 0x1148, BORDERDETECTION = 0x1150, DESKEW = 0x1151, ROTATE = 0x1152,
  /* A vendor's. */
  INK = 0x8001, PAPERSAVER = 0x8002, COUNTER = 0x8004,
};
