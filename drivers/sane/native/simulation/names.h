/* Options' names and values that backends share (4.5 of the SANE standard, and what SANE's backends agreed on later). */
#ifndef PLATEN_SIMULATION_NAMES_H
#define PLATEN_SIMULATION_NAMES_H

#define SANE_NAME_SCAN_SOURCE "source"
#define SANE_NAME_SCAN_MODE "mode"
#define SANE_NAME_SCAN_RESOLUTION "resolution"
#define SANE_NAME_SCAN_TL_X "tl-x"
#define SANE_NAME_SCAN_TL_Y "tl-y"
#define SANE_NAME_SCAN_BR_X "br-x"
#define SANE_NAME_SCAN_BR_Y "br-y"
#define SANE_NAME_BRIGHTNESS "brightness"
#define SANE_NAME_CONTRAST "contrast"
#define SANE_NAME_THRESHOLD "threshold"
#define SANE_NAME_PAGE_LOADED "page-loaded"
#define SANE_NAME_COVER_OPEN "cover-open"
#define SANE_VALUE_SCAN_MODE_LINEART "Lineart"
#define SANE_VALUE_SCAN_MODE_GRAY "Gray"
#define SANE_VALUE_SCAN_MODE_COLOR "Color"

#endif
