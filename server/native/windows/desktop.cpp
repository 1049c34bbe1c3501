/*
 * platen-desktop.exe: keeps Platen's desktop application running in the session of the person who scans. It shows no
 * window, and ends with the session.
 */
#include "desktops.h"
#include "layout.h"
#include "supervise.h"

#include <shellapi.h>

/* Windows asks people whether to wait once a program takes longer than 5 s at the end of a session. */
static const DWORD END_OF_SESSION_MS = 15000;

static HANDLE stopping, worker;

static LRESULT CALLBACK procedure(HWND window, UINT message, WPARAM w, LPARAM l) {
  if (message == WM_QUERYENDSESSION) {
    ShutdownBlockReasonCreate(window, L"A scanner is finishing its sheet.");
    return TRUE;
  }
  if (message == WM_ENDSESSION || message == WM_CLOSE) {
    if (message == WM_ENDSESSION && !w) return ShutdownBlockReasonDestroy(window), 0;
    SetEvent(stopping);
    if (message == WM_ENDSESSION) WaitForSingleObject(worker, END_OF_SESSION_MS);
    return 0;
  }
  return DefWindowProcW(window, message, w, l);
}

/* Top-level: a message-only window is not told that the session ends. */
static void createWindow() {
  WNDCLASSW kind = {};
  kind.lpfnWndProc = procedure;
  kind.hInstance = GetModuleHandleW(nullptr);
  kind.lpszClassName = L"PlatenDesktop";
  RegisterClassW(&kind);
  CreateWindowExW(WS_EX_TOOLWINDOW | WS_EX_NOACTIVATE, kind.lpszClassName, L"Platen", WS_POPUP, 0, 0, 0, 0, nullptr, nullptr, kind.hInstance, nullptr);
}

struct Work {
  Layout layout;
  Log *log;
};

static DWORD WINAPI work(void *given) {
  const Work &mine = *(Work *)given;
  const Text config = mine.layout.root + L"\\host.json";
  setVariables(mine.layout, config);
  Supervised host;
  host.command = {mine.layout.node, mine.layout.script(), L"host", L"--config", config};
  host.stop = stopping;
  host.endsIfRefused = false; /* nobody would start it again before the next logon */
  host.beat = [](bool, bool) {};
  return supervise(host, *mine.log);
}

static Text nodeArgument() {
  int count = 0;
  wchar_t **given = CommandLineToArgvW(GetCommandLineW(), &count);
  Text node = count == 3 && wcscmp(given[1], L"--node") == 0 ? given[2] : L"";
  LocalFree(given);
  return node;
}

int WINAPI wWinMain(HINSTANCE, HINSTANCE, wchar_t *, int) {
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
  Handle single(CreateMutexW(nullptr, FALSE, L"Local\\PlatenDesktop"));
  if (GetLastError() == ERROR_ALREADY_EXISTS) return 0;
  const Text folder = ownFolder();
  Log log(folder + L"\\desktop.log");
  try {
    stopping = CreateEventW(nullptr, TRUE, FALSE, stopEventOf(GetCurrentProcessId()).c_str());
    Handle removal(CreateEventW(nullptr, TRUE, FALSE, removalEventOf(GetCurrentProcessId()).c_str()));
    if (!stopping) stopping = CreateEventW(nullptr, TRUE, FALSE, nullptr);
    Work mine = {findLayout(nodeArgument()), &log};
    createWindow();
    worker = CreateThread(nullptr, 0, work, &mine, 0, nullptr);
    must(worker != nullptr, L"Windows gives no thread");
    while (MsgWaitForMultipleObjects(1, &worker, FALSE, INFINITE, QS_ALLINPUT) != WAIT_OBJECT_0) {
      MSG message;
      while (PeekMessageW(&message, nullptr, 0, 0, PM_REMOVE)) DispatchMessageW(&message);
    }
    if (removal.value && WaitForSingleObject(removal.value, 0) == WAIT_OBJECT_0) {
      log.remove();
      RemoveDirectoryW(folder.c_str()); /* if it is empty */
    }
    return 0;
  } catch (const Failure &failure) {
    log.say(sentence(failure));
    return 1;
  }
}
