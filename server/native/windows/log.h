/* A log file that is rotated by its size: service.log, service.1.log, and so on to the oldest. */
#pragma once

#include "text.h"

class Log {
 public:
  /* `path` ends in ".log". A log that cannot be opened is tried again at each line, and never stops a program. */
  explicit Log(const Text &path, long long most = 10 * 1024 * 1024, int kept = 5);
  ~Log();
  /* A line of this program: with the time, and its name. */
  void say(const Text &line);
  /* What a child wrote, as it is. Rotation waits for the end of a line. */
  void add(const char *bytes, DWORD length);
  /* Deletes all its files. */
  void remove();

 private:
  void open();
  void rotate();
  void put(const char *bytes, DWORD length);
  Text stem;
  long long most, size, tryAt;
  int kept;
  bool midLine;
  HANDLE file;
  SRWLOCK lock;
};
