/* The part of bcryptprimitives.dll that libvips needs and Wine 8 lacks. */
#include <stdint.h>
#include <windows.h>
#include <ntsecapi.h>

extern "C" __declspec(dllexport) BOOL WINAPI ProcessPrng(uint8_t *data, size_t size) {
  return RtlGenRandom(data, (ULONG)size);
}
