#include "log.h"

#include <stdio.h>

/* A line that is longer is cut by a rotation. */
static const long long LONGEST_LINE = 64 * 1024;

static Text numbered(const Text &stem, int number) { return stem + (number ? L"." + std::to_wstring(number) : L"") + L".log"; }

Log::Log(const Text &path, long long most, int kept)
    : stem(path.substr(0, path.size() - 4)), most(most), size(0), kept(kept), midLine(false), file(INVALID_HANDLE_VALUE) {
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

void Log::rotate() {
  CloseHandle(file);
  file = INVALID_HANDLE_VALUE;
  DeleteFileW(numbered(stem, kept - 1).c_str());
  for (int at = kept - 1; at > 0; at--) MoveFileExW(numbered(stem, at - 1).c_str(), numbered(stem, at).c_str(), MOVEFILE_REPLACE_EXISTING);
  open();
}

void Log::remove() {
  AcquireSRWLockExclusive(&lock);
  if (file != INVALID_HANDLE_VALUE) CloseHandle(file);
  file = INVALID_HANDLE_VALUE;
  for (int at = 0; at < kept; at++) DeleteFileW(numbered(stem, at).c_str());
  ReleaseSRWLockExclusive(&lock);
}

void Log::put(const char *bytes, DWORD length) {
  open();
  if (file != INVALID_HANDLE_VALUE && size > 0 && size + length > most && (!midLine || size > most + LONGEST_LINE)) rotate();
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
