#pragma once
#include "windows.h"
/* Windows counts in units of 16 bits; a wchar_t has 32 bits here, and `Length` is in bytes of those. */
struct UNICODE_STRING { USHORT Length, MaximumLength; wchar_t *Buffer; };
