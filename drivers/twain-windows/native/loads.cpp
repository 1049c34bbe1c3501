#include "loads.h"

#include <algorithm>
#include <string.h>
#include <vector>
#include <windows.h>
#include <winternl.h>

#include "answer.h"

namespace loads {

/* From Windows' documentation of LdrRegisterDllNotification. */
struct Loaded { ULONG flags; const UNICODE_STRING *path, *name; void *base; ULONG size; };
typedef void(CALLBACK *Listener)(ULONG reason, const Loaded *what, void *context);
typedef LONG(NTAPI *Register)(ULONG flags, Listener listener, void *context, void **cookie);
static const ULONG LOADED = 1;

static const platen_request *asked;
static DWORD thread;
static std::vector<HANDLE> kept;

static bool isSource(const std::wstring &path) {
  return path.size() > 3 && CompareStringOrdinal(path.c_str() + path.size() - 3, 3, L".ds", 3, TRUE) == CSTR_EQUAL;
}

/* Runs under the loader's lock: it only sends, and calls no other library. */
static void CALLBACK heard(ULONG reason, const Loaded *what, void *) {
  if (reason != LOADED || !asked || GetCurrentThreadId() != thread) return;
  std::wstring path(what->path->Buffer, what->path->Length / sizeof(wchar_t));
  if (!isSource(path)) return;
  std::string utf8(3 * path.size(), 0);
  utf8.resize((size_t)WideCharToMultiByte(CP_UTF8, 0, path.c_str(), (int)path.size(), &utf8[0], (int)utf8.size(), nullptr, nullptr));
  Frame(asked, true).with("loads", utf8).send();
}

static void listen() {
  static bool listening;
  if (listening) return;
  listening = true;
  HMODULE system = GetModuleHandleA("ntdll.dll");
  FARPROC door = system ? GetProcAddress(system, "LdrRegisterDllNotification") : nullptr;
  Register enlist;
  memcpy(&enlist, &door, sizeof enlist);
  void *cookie;
  if (enlist) enlist(0, heard, nullptr, &cookie);
}

Telling::Telling(const platen_request *request) {
  listen();
  thread = GetCurrentThreadId();
  asked = request;
}

Telling::~Telling() { asked = nullptr; }

/* A file that is open without sharing cannot be loaded. Another helper keeps it open only briefly. */
static HANDLE held(const std::string &path) {
  wchar_t wide[1024];
  if (!MultiByteToWideChar(CP_UTF8, 0, path.c_str(), -1, wide, 1024)) return INVALID_HANDLE_VALUE;
  for (int tries = 0;; tries++) {
    HANDLE file = CreateFileW(wide, GENERIC_READ, 0, nullptr, OPEN_EXISTING, 0, nullptr);
    if (file != INVALID_HANDLE_VALUE || GetLastError() != ERROR_SHARING_VIOLATION || tries >= 50) return file;
    Sleep(20);
  }
}

void keep(const std::string &paths) {
  for (size_t at = 0, end; at < paths.size(); at = end + 1) {
    end = std::min(paths.find('|', at), paths.size());
    HANDLE file = held(paths.substr(at, end - at));
    if (file != INVALID_HANDLE_VALUE) kept.push_back(file);
  }
}

void letGo() {
  for (HANDLE each : kept) CloseHandle(each);
  kept.clear();
}

}  // namespace loads
