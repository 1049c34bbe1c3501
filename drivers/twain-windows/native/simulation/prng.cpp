/* bcryptprimitives.dll as far as libvips asks for it, and Wine 8 lacks it. */
#include <stdint.h>
#include <windows.h>
#include <ntsecapi.h>

extern "C" __declspec(dllexport) BOOL WINAPI ProcessPrng(uint8_t *data, size_t size) {
  return RtlGenRandom(data, (ULONG)size);
}
