/* Text and failures of Platen's programs for Windows. Text is UTF-16 inside and UTF-8 in files and on consoles. */
#pragma once

#ifndef UNICODE
#define UNICODE
#endif
#ifndef _WIN32_WINNT
#define _WIN32_WINNT 0x0A00 /* Windows 10 */
#endif

#include <string>
#include <vector>
#include <windows.h>

typedef std::wstring Text;

/* What failed, for people, and Windows' error number. */
struct Failure {
  Text what;
  DWORD code;
};

/* @throws Failure with GetLastError() if `worked` is false */
inline void must(bool worked, const Text &what) {
  if (!worked) throw Failure{what, GetLastError()};
}

/* The sentence of a failure, with Windows' own words for its number. */
Text sentence(const Failure &failure);

std::string utf8(const Text &text);

/* An argument of a command line, in the way that C programs take it apart. */
Text quoted(const Text &argument);
Text commandLine(const std::vector<Text> &arguments);

/* A line to standard error, or to standard output, also where those are files. */
void complain(const Text &line);
void print(const Text &line);

struct Handle {
  HANDLE value;
  explicit Handle(HANDLE value = nullptr) : value(value) {}
  ~Handle() { close(); }
  void close() {
    if (value && value != INVALID_HANDLE_VALUE) CloseHandle(value);
    value = nullptr;
  }
  Handle(const Handle &) = delete;
  void operator=(const Handle &) = delete;
};
