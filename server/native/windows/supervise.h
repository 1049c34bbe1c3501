/* Keeps a program of Platen running. */
#pragma once

#include <functional>

#include "child.h"

struct Supervised {
  std::vector<Text> command;
  /* Set it to stop. */
  HANDLE stop;
  /* Whether exit codes that a restart does not change end the supervision: 2, 3 and 4 (server/src/machine/exitCodes.ts). */
  bool endsIfRefused;
  /* Called twice a second: `ready` from the program's first line, its first failure or 5 s on; `stopping` from `stop` on. */
  std::function<void(bool ready, bool stopping)> beat;
};

/* Restarts it with growing pauses until `stop` is set. @returns 0, or the exit code with which it refused to start */
DWORD supervise(const Supervised &what, Log &log);
