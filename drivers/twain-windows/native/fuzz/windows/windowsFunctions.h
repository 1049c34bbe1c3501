/* The functions of windows.h: global memory that the sanitizers watch, code pages, and no libraries, files or threads. */
#pragma once
#include <map>
#include <stdlib.h>
#include <wchar.h>

#include "windows.h"

static std::map<HANDLE, size_t> global;

HANDLE GlobalAlloc(UINT, size_t size) {
  HANDLE memory = calloc(1, size + !size);
  if (memory) global[memory] = size;
  return memory;
}

HANDLE GlobalFree(HANDLE memory) {
  if (!global.erase(memory)) abort(); /* freed twice, or not a handle */
  ::free(memory);
  return nullptr;
}

/* Windows returns null and 0 for what is not a handle. */
void *GlobalLock(HANDLE memory) { return global.count(memory) ? memory : nullptr; }
BOOL GlobalUnlock(HANDLE) { return TRUE; }
size_t GlobalSize(HANDLE memory) { return global.count(memory) ? global[memory] : 0; }

/* Every code page is Latin-1 but UTF-8, which is checked as Windows checks it: a wrong byte becomes U+FFFD. */
int MultiByteToWideChar(UINT page, DWORD, LPCSTR from, int length, wchar_t *to, int room) {
  size_t bytes = length < 0 ? strlen(from) + 1 : (size_t)length, at = 0;
  int units = 0;
  while (at < bytes) {
    if (units == room) return 0;
    unsigned char c = (unsigned char)from[at];
    int more = page != CP_UTF8 || c < 0xc0 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    wchar_t value = page != CP_UTF8 || c < 0x80 ? c : more ? c & (0x3f >> more) : 0xfffd;
    for (at++; more > 0 && at < bytes; more--, at++) value = value << 6 | (from[at] & 0x3f);
    to[units++] = value > 0x10ffff || (value >= 0xd800 && value < 0xe000) ? 0xfffd : value;
  }
  return units;
}

int WideCharToMultiByte(UINT, DWORD, const wchar_t *from, int length, char *to, int room, LPCSTR, BOOL *) {
  int bytes = 0;
  for (int i = 0; i < length; i++) {
    uint32_t c = (uint32_t)from[i];
    int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const uint8_t first[] = {0, 0xc0, 0xe0, 0xf0};
    if (bytes + more >= room) return 0;
    to[bytes++] = (char)(first[more] | c >> (6 * more));
    while (more-- > 0) to[bytes++] = (char)(0x80 | (c >> (6 * more) & 0x3f));
  }
  return bytes;
}

int CompareStringOrdinal(const wchar_t *one, int length, const wchar_t *other, int, BOOL) {
  return CSTR_EQUAL + wcsncasecmp(one, other, (size_t)length);
}

UINT GetSystemDirectoryA(LPSTR path, UINT room) { return (UINT)snprintf(path, room, "C:\\windows\\system32"); }
UINT GetWindowsDirectoryA(LPSTR path, UINT room) { return (UINT)snprintf(path, room, "C:\\windows"); }
HMODULE LoadLibraryExA(LPCSTR, HANDLE, DWORD) { return &global; }
BOOL FreeLibrary(HMODULE) { return TRUE; }
HMODULE GetModuleHandleA(LPCSTR) { return &global; }
DWORD GetLastError() { return ERROR_SHARING_VIOLATION; }
DWORD GetCurrentThreadId() { return 1; }
/* Every third file can be held; the others do not exist or are in use. */
HANDLE CreateFileW(const wchar_t *path, DWORD, DWORD, void *, DWORD, DWORD, HANDLE) { return wcslen(path) % 3 ? INVALID_HANDLE_VALUE : GlobalAlloc(0, 1); }
BOOL CloseHandle(HANDLE handle) { return !GlobalFree(handle); }
void Sleep(DWORD) {}

BOOL GetModuleHandleExA(DWORD, LPCSTR, HMODULE *) { return FALSE; }
DWORD GetModuleFileNameA(HMODULE, LPSTR, DWORD) { return 0; }
UINT SetErrorMode(UINT mode) { return mode; }
LPTOP_LEVEL_EXCEPTION_FILTER SetUnhandledExceptionFilter(LPTOP_LEVEL_EXCEPTION_FILTER filter) { return filter; }
HANDLE GetCurrentProcess() { return nullptr; }
BOOL TerminateProcess(HANDLE, UINT) { abort(); }
HANDLE GetStdHandle(DWORD) { return nullptr; }
BOOL WriteFile(HANDLE, const void *, DWORD, DWORD *, void *) { return FALSE; }
