/* The paper: the sheets in the feeder, those that were fed, and the image that is ready. */
#pragma once
#include <stdint.h>
#include <string>

#include "../twain.h"

namespace paper {

struct Image { int sheet, side; std::string fault; };

/* For ENABLEDS: feeds the first sheet, or scans the flatbed. */
twain::Condition begin(bool feeder, bool bothSides, bool ahead, int count);
/* Describes the image that is ready; false if there is none. */
bool current(Image &image);
/* Moves on to the next image, if any. Returns the number of images that follow; 0xffff: unknown. */
uint16_t next();
/* Stops the feeder. Sheets already fed are still scanned. */
void stop();
/* Drops the sheets that were fed and not yet transferred. */
void drop();

}  // namespace paper
