#include "pump.h"

#include <exception>
#include <objbase.h>

namespace pump {

std::function<bool(MSG *)> filter;

/* A posted message, and not a sent one: inside a sent one COM refuses to call out, which sources over WIA do. */
static const UINT JOB = WM_APP + 1;

static HWND handle;
static HANDLE ready, done;
static const std::function<void()> *work;
static std::exception_ptr thrown;

static LRESULT CALLBACK procedure(HWND at, UINT message, WPARAM w, LPARAM l) {
  if (message != JOB) return DefWindowProcA(at, message, w, l);
  try {
    (*work)();
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
  handle = CreateWindowA(kind.lpszClassName, "Platen", 0, 0, 0, 0, 0, HWND_MESSAGE, nullptr, kind.hInstance, nullptr);
  SetEvent(ready);
  MSG message;
  while (handle) {
    /* Sources post WM_QUIT when their window is done: it is not theirs to end this thread. */
    if (GetMessageA(&message, nullptr, 0, 0) <= 0) continue;
    bool own = message.hwnd == handle && message.message == JOB;
    if (!own && filter && filter(&message)) continue;
    TranslateMessage(&message);
    DispatchMessageA(&message);
  }
  return 0;
}

bool start() {
  ready = CreateEventA(nullptr, FALSE, FALSE, nullptr);
  done = CreateEventA(nullptr, FALSE, FALSE, nullptr);
  HANDLE thread = ready && done ? CreateThread(nullptr, 0, loop, nullptr, 0, nullptr) : nullptr;
  if (!thread) return false;
  CloseHandle(thread);
  WaitForSingleObject(ready, INFINITE);
  return handle != nullptr;
}

HWND window() { return handle; }

void run(const std::function<void()> &job) {
  work = &job;
  thrown = nullptr;
  PostMessageA(handle, JOB, 0, 0);
  WaitForSingleObject(done, INFINITE);
  if (thrown) std::rethrow_exception(thrown);
}

void beat(unsigned ms) {
  if (ms) SetTimer(handle, 1, ms, nullptr);
  else KillTimer(handle, 1);
}

}  // namespace pump
