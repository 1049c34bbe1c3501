/* The paper's way: what lies in the feeder, what was drawn in, and the image that is in the source's hand. */
#pragma once
#include <stdint.h>
#include <string>

#include "../twain.h"

namespace paper {

struct Image { int sheet, side; std::string fault; };

/* As ENABLEDS does: feeds the first sheet, or looks at the flatbed. */
twain::Condition begin(bool feeder, bool bothSides, bool ahead, int count);
/* Of the image in hand; false where there is none. */
bool current(Image &image);
/* The image in hand is done with: the next one, if there is any. How many are to come; 0xffff: some. */
uint16_t next();
/* Nothing more is drawn in. What was, comes still. */
void stop();
/* What was drawn in and did not come is gone. */
void drop();

}  // namespace paper
