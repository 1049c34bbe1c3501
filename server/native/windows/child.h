/* A child process in a job of its own: it, and what it starts, ends with this program. */
#pragma once

#include "log.h"

class Child {
 public:
  /* Its output goes to the log. @throws Failure if it does not start */
  Child(const std::vector<Text> &command, Log &log);
  /* Ends everything in the job. */
  ~Child();
  HANDLE process() const { return running.value; }
  DWORD id() const { return number; }
  /* Whether it has written a line to standard output: Platen's first one says that it is ready. */
  bool ready() const { return spoke; }
  /* Asks it to end: closes its standard input. */
  void stop() { input.close(); }
  /* Its exit code, after `process` was signalled. Waits up to 3 s for its helpers and its last output. */
  DWORD code();

 private:
  struct Reader {
    Child *child;
    Handle from, thread;
    bool first;
  };
  static DWORD WINAPI read(void *reader);
  void launch(Text line, HANDLE in, HANDLE out, HANDLE err);
  Log &log;
  Handle running, job, input;
  Reader out, err;
  DWORD number;
  volatile bool spoke;
};

/* Runs a command to its end. @returns its exit code, or ERROR_TIMEOUT if it was ended after `most` ms */
DWORD runToEnd(const std::vector<Text> &command, Log &log, DWORD most);
