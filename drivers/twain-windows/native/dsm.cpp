#include "dsm.h"

#include "answer.h"
#include "pump.h"

namespace dsm {

static twain::Identity self;
static twain::Entry entry;
static HMODULE library;
static std::string loaded;
static twain::EntryPoint memory;
static bool opened;

bool isOpen() { return opened; }
const std::string &file() { return loaded; }
bool isVersion2() { return memory.allocate != nullptr; }

static std::string folder(UINT(WINAPI *ask)(LPSTR, UINT)) {
  char path[MAX_PATH] = "";
  ask(path, sizeof path);
  return path;
}

/* By full path: never a library of that name in the working folder. */
static bool load(const std::string &path, std::string &tried) {
  library = LoadLibraryExA(path.c_str(), nullptr, LOAD_WITH_ALTERED_SEARCH_PATH);
  DWORD why = GetLastError();
  FARPROC door = library ? GetProcAddress(library, "DSM_Entry") : nullptr;
  if (door) {
    memcpy(&entry, &door, sizeof entry);
    loaded = path;
    return true;
  }
  if (library) FreeLibrary(library);
  tried += (tried.empty() ? "" : ", ") + path + " (" + (library ? "no DSM_Entry" : "error " + std::to_string(why)) + ")";
  library = nullptr;
  return false;
}

/* twain_32.dll comes with Windows, for 32 bits; Wine also has a 64-bit one. */
static void loadAny() {
  if (library) return;
  std::string system = folder(GetSystemDirectoryA), windows = folder(GetWindowsDirectoryA), tried;
  if (load(system + "\\TWAINDSM.dll", tried) || load(windows + "\\twain_32.dll", tried) || load(system + "\\twain_32.dll", tried)) return;
  throw Trouble{"NODSM", "no TWAIN data source manager: " + tried};
}

uint16_t send(twain::Identity *source, uint32_t group, uint16_t argument, uint16_t message, void *data) {
  return entry(&self, source, group, argument, message, data);
}

Result call(twain::Identity *source, uint32_t group, uint16_t argument, uint16_t message, void *data) {
  Result result = {send(source, group, argument, message, data), twain::FINE};
  if (result.rc != twain::FAILURE && result.rc != twain::CHECKSTATUS) return result;
  twain::Status status = {};
  if (send(source, twain::CONTROL, twain::STATUS, twain::GET, &status) == twain::SUCCESS) result.cc = status.condition;
  return result;
}

Result open(const twain::Identity &application) {
  if (opened) throw Trouble{"STATE", "the data source manager is open"};
  loadAny();
  self = application;
  memory = twain::EntryPoint();
  HWND parent = pump::window();
  Result result = call(nullptr, twain::CONTROL, twain::PARENT, twain::OPENDSM, &parent);
  opened = result.rc == twain::SUCCESS;
  if (!opened || !(self.groups & twain::DSM2)) return result;
  memory.size = sizeof memory;
  if (send(nullptr, twain::CONTROL, twain::ENTRYPOINT, twain::GET, &memory) != twain::SUCCESS) memory = twain::EntryPoint();
  return result;
}

Result close() {
  if (!opened) throw Trouble{"STATE", "the data source manager is not open"};
  HWND parent = pump::window();
  Result result = call(nullptr, twain::CONTROL, twain::PARENT, twain::CLOSEDSM, &parent);
  opened = result.rc != twain::SUCCESS;
  return result;
}

HANDLE allocate(uint32_t size) { return memory.allocate ? memory.allocate(size) : GlobalAlloc(GHND, size); }

void free(HANDLE at) {
  if (!at) return;
  if (memory.free) memory.free(at);
  else GlobalFree(at);
}

void *lock(HANDLE at) { return memory.lock ? memory.lock(at) : GlobalLock(at); }

void unlock(HANDLE at) {
  if (memory.unlock) memory.unlock(at);
  else GlobalUnlock(at);
}

}  // namespace dsm
