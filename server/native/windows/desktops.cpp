#include "desktops.h"

#include <tlhelp32.h>
#include <userenv.h>
#include <wtsapi32.h>

static const ULONGLONG STOP_MS = 20000;
static const wchar_t *const RUN_KEY = L"Software\\Microsoft\\Windows\\CurrentVersion\\Run";

Text stopEventOf(DWORD process) { return L"Global\\PlatenDesktop-" + std::to_wstring(process); }
Text removalEventOf(DWORD process) { return stopEventOf(process) + L"-removal"; }

static bool set(const Text &name) {
  Handle event(OpenEventW(EVENT_MODIFY_STATE, FALSE, name.c_str()));
  return event.value && SetEvent(event.value);
}

static bool runs(HANDLE process, const Text &file) {
  wchar_t path[32768];
  DWORD length = 32768;
  if (!QueryFullProcessImageNameW(process, 0, path, &length)) return false;
  return CompareStringOrdinal(path, (int)length, file.c_str(), (int)file.size(), TRUE) == CSTR_EQUAL;
}

static void stop(DWORD id, const Text &file, bool forGood) {
  Handle process(OpenProcess(SYNCHRONIZE | PROCESS_TERMINATE | PROCESS_QUERY_LIMITED_INFORMATION, FALSE, id));
  if (!process.value || !runs(process.value, file)) return;
  if (forGood) set(removalEventOf(id));
  if (set(stopEventOf(id)) && WaitForSingleObject(process.value, (DWORD)STOP_MS) == WAIT_OBJECT_0) return;
  TerminateProcess(process.value, 1);
  WaitForSingleObject(process.value, 5000);
}

void stopDesktops(const Layout &layout, bool forGood) {
  Handle all(CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0));
  must(all.value != INVALID_HANDLE_VALUE, L"Windows does not list its processes");
  PROCESSENTRY32W each = {};
  each.dwSize = sizeof each;
  for (BOOL more = Process32FirstW(all.value, &each); more; more = Process32NextW(all.value, &each))
    if (_wcsicmp(each.szExeFile, L"platen-desktop.exe") == 0) stop(each.th32ProcessID, layout.desktop(), forGood);
}

static bool startIn(DWORD session, Text line) {
  Handle token;
  if (!WTSQueryUserToken(session, &token.value)) return false;
  void *variables = nullptr;
  if (!CreateEnvironmentBlock(&variables, token.value, FALSE)) return false;
  STARTUPINFOW start = {};
  start.cb = sizeof start;
  start.lpDesktop = (wchar_t *)L"winsta0\\default";
  PROCESS_INFORMATION made = {};
  const BOOL started = CreateProcessAsUserW(token.value, nullptr, &line[0], nullptr, nullptr, FALSE, CREATE_UNICODE_ENVIRONMENT, variables, nullptr, &start, &made);
  DestroyEnvironmentBlock(variables);
  Handle process(made.hProcess), thread(made.hThread);
  return started;
}

int startDesktops(const Layout &layout) {
  WTS_SESSION_INFOW *sessions = nullptr;
  DWORD count = 0;
  must(WTSEnumerateSessionsW(WTS_CURRENT_SERVER_HANDLE, 0, 1, &sessions, &count), L"Windows does not list its sessions");
  int started = 0;
  for (DWORD i = 0; i < count; i++)
    if (sessions[i].State == WTSActive || sessions[i].State == WTSDisconnected) started += startIn(sessions[i].SessionId, quoted(layout.desktop()));
  WTSFreeMemory(sessions);
  return started;
}

void setRunKey(const Layout &layout) {
  const Text value = commandLine({layout.desktop(), L"--node", layout.node});
  const DWORD size = (DWORD)(value.size() + 1) * sizeof(wchar_t);
  const LSTATUS failed = RegSetKeyValueW(HKEY_LOCAL_MACHINE, RUN_KEY, L"Platen", REG_SZ, value.c_str(), size);
  if (failed) throw Failure{L"The registry does not take the desktop application", (DWORD)failed};
}

void removeRunKey() { RegDeleteKeyValueW(HKEY_LOCAL_MACHINE, RUN_KEY, L"Platen"); }
