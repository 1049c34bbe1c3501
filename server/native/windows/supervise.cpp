#include "supervise.h"

#include <algorithm>

static const DWORD BEAT_MS = 500;
/* Windows' service manager stops no service that is still starting. A configuration is rejected within this time. */
static const ULONGLONG START_MS = 5000;
/* Before the first restart; each further pause is twice as long. */
static const DWORD PAUSE_MS = 1000, LONGEST_PAUSE_MS = 60 * 1000;
/* A program that ran this long starts with the shortest pause again. */
static const ULONGLONG LONG_RUN_MS = 5 * 60 * 1000;
/* Platen ends itself 30 s after it was told to stop. */
static const ULONGLONG STOP_LIMIT_MS = 35 * 1000;

static bool isRefusal(DWORD code) { return code >= 2 && code <= 4; }

/* @returns its exit code @param wanted whether it was told to stop */
static DWORD runOnce(const Supervised &what, Log &log, bool &ready, bool &wanted) {
  Child child(what.command, log);
  log.say(L"Started process " + std::to_wstring(child.id()) + L".");
  const HANDLE both[] = {child.process(), what.stop};
  const ULONGLONG started = GetTickCount64();
  ULONGLONG asked = 0;
  for (;;) {
    DWORD found = WaitForMultipleObjects(wanted ? 1 : 2, both, FALSE, BEAT_MS);
    if (found == WAIT_OBJECT_0) return child.code();
    if (found == WAIT_OBJECT_0 + 1) {
      wanted = true;
      asked = GetTickCount64();
      log.say(L"Stopping.");
      child.stop();
    }
    if (wanted && GetTickCount64() - asked > STOP_LIMIT_MS) {
      log.say(L"It did not stop within " + std::to_wstring(STOP_LIMIT_MS / 1000) + L" s. Ending it now.");
      return 1;
    }
    ready = ready || child.ready() || GetTickCount64() - started > START_MS;
    what.beat(ready, wanted);
  }
}

DWORD supervise(const Supervised &what, Log &log) {
  bool ready = false, wanted = false;
  for (DWORD pause = PAUSE_MS;; pause = std::min(2 * pause, LONGEST_PAUSE_MS)) {
    const ULONGLONG started = GetTickCount64();
    DWORD code = 1;
    try {
      code = runOnce(what, log, ready, wanted);
    } catch (const Failure &failure) {
      log.say(sentence(failure));
    }
    if (wanted) return log.say(L"Stopped."), 0;
    if (what.endsIfRefused && isRefusal(code)) {
      log.say(L"It ended with " + std::to_wstring(code) + L", which a restart does not change. Correct what the lines above name, then start the service.");
      return code;
    }
    if (GetTickCount64() - started > LONG_RUN_MS) pause = PAUSE_MS;
    log.say(L"It ended with " + std::to_wstring(code) + L". Starting it again in " + std::to_wstring(pause / 1000) + L" s.");
    ready = true;
    for (DWORD waited = 0; waited < pause; waited += BEAT_MS) {
      what.beat(ready, false);
      if (WaitForSingleObject(what.stop, BEAT_MS) == WAIT_OBJECT_0) return log.say(L"Stopped."), 0;
    }
  }
}
