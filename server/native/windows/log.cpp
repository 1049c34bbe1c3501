#include "log.h"

#include <stdio.h>

/* A line that is longer is cut by a rotation. */
static const long long LONGEST_LINE = 64 * 1024;
/* A file that another program holds is renamed this many bytes later. */
static const long long NEXT_TRY = 1024 * 1024;

static Text numbered(const Text &stem, int number) { return stem + (number ? L"." + std::to_wstring(number) : L"") + L".log"; }

static bool isThere(const Text &path) { return GetFileAttributesW(path.c_str()) != INVALID_FILE_ATTRIBUTES; }
static bool moves(const Text &from, const Text &to) { return MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING); }

Log::Log(const Text &path, long long most, int kept)
    : stem(path.substr(0, path.size() - 4)), most(most), size(0), tryAt(most), kept(kept), midLine(false), file(INVALID_HANDLE_VALUE) {
  InitializeSRWLock(&lock);
}

Log::~Log() {
  if (file != INVALID_HANDLE_VALUE) CloseHandle(file);
}

void Log::open() {
  if (file != INVALID_HANDLE_VALUE) return;
  const DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  file = CreateFileW(numbered(stem, 0).c_str(), FILE_APPEND_DATA | SYNCHRONIZE, shared, nullptr, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
  LARGE_INTEGER length = {};
  if (file != INVALID_HANDLE_VALUE) GetFileSizeEx(file, &length);
  size = length.QuadPart;
}

/* The newest file is renamed first: unless that works, nothing older is lost. */

void Log::rotate() {
  CloseHandle(file);
  file = INVALID_HANDLE_VALUE;
  const Text full = stem + L".full.log";
  const bool isLeft = isThere(full); /* a step failed, or the program was ended there */
  bool moved = isLeft || moves(numbered(stem, 0), full);
  for (int at = kept - 1; moved && at > 1; at--) moved = !isThere(numbered(stem, at - 1)) || moves(numbered(stem, at - 1), numbered(stem, at));
  moved = moved && moves(full, numbered(stem, 1));
  open();
  tryAt = moved && !isLeft ? most : size + NEXT_TRY;
}

void Log::remove() {
  AcquireSRWLockExclusive(&lock);
  if (file != INVALID_HANDLE_VALUE) CloseHandle(file);
  file = INVALID_HANDLE_VALUE;
  DeleteFileW((stem + L".full.log").c_str());
  for (int at = 0; at < kept; at++) DeleteFileW(numbered(stem, at).c_str());
  ReleaseSRWLockExclusive(&lock);
}

void Log::put(const char *bytes, DWORD length) {
  open();
  if (file != INVALID_HANDLE_VALUE && size > 0 && size + length > tryAt && (!midLine || size > tryAt + LONGEST_LINE)) rotate();
  DWORD written = 0;
  if (file != INVALID_HANDLE_VALUE && WriteFile(file, bytes, length, &written, nullptr)) size += written;
  if (length) midLine = bytes[length - 1] != '\n';
}

void Log::add(const char *bytes, DWORD length) {
  AcquireSRWLockExclusive(&lock);
  put(bytes, length);
  ReleaseSRWLockExclusive(&lock);
}

void Log::say(const Text &line) {
  SYSTEMTIME now;
  GetSystemTime(&now);
  char time[40];
  snprintf(time, sizeof time, "%04u-%02u-%02uT%02u:%02u:%02u.%03uZ windows: ", now.wYear, now.wMonth, now.wDay, now.wHour, now.wMinute, now.wSecond, now.wMilliseconds);
  std::string bytes = time + utf8(line) + "\n";
  AcquireSRWLockExclusive(&lock);
  if (midLine) put("\n", 1);
  put(bytes.data(), (DWORD)bytes.size());
  ReleaseSRWLockExclusive(&lock);
}
