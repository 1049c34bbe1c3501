#include "pump.h"

#include <exception>
#include <objbase.h>

#include "answer.h"

namespace pump {

std::function<bool(MSG *)> filter;

/*
 * The message is posted and not sent: inside a sent one COM refuses outgoing calls, which sources over WIA make.
 * Windows assigns its number, because sources post their own messages to this window, which is their parent.
 */
static UINT todo;
/* Time limit for creating the window. */
static const DWORD START_MS = 10000;

static HWND handle;
static HANDLE ready, done;
static const std::function<void()> *work;
static std::exception_ptr thrown;

static LRESULT CALLBACK procedure(HWND at, UINT message, WPARAM w, LPARAM l) {
  if (message == WM_CLOSE) return 0; /* this process ends only with its stdin */
  if (message != todo || !work) return DefWindowProcA(at, message, w, l);
  const std::function<void()> &mine = *work;
  work = nullptr;
  try {
    mine();
  } catch (...) {
    thrown = std::current_exception();
  }
  SetEvent(done);
  return 0;
}

static DWORD WINAPI loop(void *) {
  CoInitializeEx(nullptr, COINIT_APARTMENTTHREADED);
  WNDCLASSA kind = {};
  kind.lpfnWndProc = procedure;
  kind.hInstance = GetModuleHandleA(nullptr);
  kind.lpszClassName = "PlatenTwain";
  RegisterClassA(&kind);
  /* Never shown. Top-level where possible: message-only windows, and sources' windows below them, get no broadcasts. */
  auto window = [&](DWORD style, HWND parent) { return CreateWindowExA(WS_EX_TOOLWINDOW | WS_EX_NOACTIVATE, kind.lpszClassName, "Platen", style, 0, 0, 0, 0, parent, nullptr, kind.hInstance, nullptr); };
  handle = window(WS_POPUP, nullptr);
  if (!handle) handle = window(0, HWND_MESSAGE);
  SetEvent(ready);
  MSG message;
  while (handle) {
    /* Sources post WM_QUIT when they close their window: it must not end this thread. */
    if (GetMessageA(&message, nullptr, 0, 0) <= 0) continue;
    bool own = message.hwnd == handle && message.message == todo;
    if (!own && filter && filter(&message)) continue;
    TranslateMessage(&message);
    DispatchMessageA(&message);
  }
  return 0;
}

bool start() {
  ready = CreateEventA(nullptr, FALSE, FALSE, nullptr);
  done = CreateEventA(nullptr, FALSE, FALSE, nullptr);
  todo = RegisterWindowMessageA("PlatenTwainJob");
  HANDLE thread = ready && done && todo ? CreateThread(nullptr, 0, loop, nullptr, 0, nullptr) : nullptr;
  if (!thread) return false;
  CloseHandle(thread);
  return WaitForSingleObject(ready, START_MS) == WAIT_OBJECT_0 && handle != nullptr;
}

HWND window() { return handle; }

void run(const std::function<void()> &job) {
  work = &job;
  thrown = nullptr;
  if (!PostMessageA(handle, todo, 0, 0)) throw Trouble{"NOMEM", "Windows rejects a message for TWAIN's thread"};
  WaitForSingleObject(done, INFINITE);
  if (thrown) std::rethrow_exception(thrown);
}

void beat(unsigned ms) {
  if (ms) SetTimer(handle, 1, ms, nullptr);
  else KillTimer(handle, 1);
}

}  // namespace pump
