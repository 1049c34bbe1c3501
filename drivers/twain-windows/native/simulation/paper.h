/* The paper: the sheets in the feeder, those that were fed, and the image that is ready. */
#pragma once
#include <stdint.h>
#include <string>

#include "../twain.h"

namespace paper {

struct Image { int sheet, side; std::string fault; };

/* As ENABLEDS does: feeds the first sheet, or looks at the flatbed. */
twain::Condition begin(bool feeder, bool bothSides, bool ahead, int count);
/* Of the image that is ready; false if there is none. */
bool current(Image &image);
/* Goes on to the next image, if there is one. Returns how many are to come; 0xffff: some. */
uint16_t next();
/* Feeds nothing more. The sheets that were fed still come. */
void stop();
/* Drops the sheets that were fed and did not come. */
void drop();

}  // namespace paper
