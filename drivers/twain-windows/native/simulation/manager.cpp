/*
 * A TWAINDSM.dll for tests: a data source manager of version 2, with callbacks and memory functions. Wine's has version 1.
 *
 * It behaves like the TWAIN Working Group's: OPENDSM loads every `.ds` file below its folder, asks for its
 * identity and unloads it; OPENDS loads it again. The events of a source are kept under the id that the source gives.
 */
#include <algorithm>
#include <stdio.h>
#include <string.h>
#include <string>
#include <vector>

#include "../twain.h"

/* A source's entry point has no destination. */
typedef uint16_t(WINAPI *SourceEntry)(twain::Identity *origin, uint32_t group, uint16_t argument, uint16_t message, void *data);

struct Loaded { HMODULE library; SourceEntry entry; };
struct Installed { std::string file; twain::Identity identity; };

static std::vector<Installed> installed;
static size_t listed;
/* The open source; id 0: none. */
static Loaded source;
static uint32_t openId;
static twain::Entry called;
static bool opened;
static uint16_t lastCondition;

extern "C" uint16_t WINAPI DSM_Entry(twain::Identity *origin, twain::Identity *destination, uint32_t group, uint16_t argument, uint16_t message, void *data);

static HANDLE CALLBACK allocate(uint32_t size) { return GlobalAlloc(GHND, size); }
static void CALLBACK release(HANDLE memory) { GlobalFree(memory); }
static void *CALLBACK lock(HANDLE memory) { return GlobalLock(memory); }
static void CALLBACK unlock(HANDLE memory) { GlobalUnlock(memory); }

static uint16_t fail(twain::Condition condition) {
  lastCondition = condition;
  return twain::FAILURE;
}

static bool load(const std::string &file, Loaded &as) {
  as.library = LoadLibraryA(file.c_str());
  FARPROC door = as.library ? GetProcAddress(as.library, "DS_Entry") : nullptr;
  memcpy(&as.entry, &door, sizeof door);
  return as.entry != nullptr;
}

static void unload(Loaded &it) {
  if (it.library) FreeLibrary(it.library);
  it = Loaded();
}

static void look(twain::Identity *origin, const std::string &folder) {
  std::vector<std::string> files, folders;
  WIN32_FIND_DATAA found;
  HANDLE search = FindFirstFileA((folder + "\\*").c_str(), &found);
  if (search == INVALID_HANDLE_VALUE) return;
  do {
    std::string name = found.cFileName;
    if (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) {
      if (name != "." && name != "..") folders.push_back(folder + "\\" + name);
    } else if (name.size() > 3 && _stricmp(name.c_str() + name.size() - 3, ".ds") == 0) files.push_back(folder + "\\" + name);
  } while (FindNextFileA(search, &found));
  FindClose(search);
  std::sort(files.begin(), files.end());
  for (const std::string &file : files) {
    Loaded it;
    Installed each = {file, {}};
    each.identity.id = (uint32_t)installed.size() + 1;
    if (load(file, it) && it.entry(origin, twain::CONTROL, twain::IDENTITY, twain::GET, &each.identity) == twain::SUCCESS) installed.push_back(each);
    unload(it);
  }
  for (const std::string &each : folders) look(origin, each);
}

static uint16_t next(twain::Identity *data) {
  if (listed >= installed.size()) return twain::ENDOFLIST;
  *data = installed[listed++].identity;
  return twain::SUCCESS;
}

static uint16_t open(twain::Identity *origin, twain::Identity *data) {
  twain::EntryPoint entry = {sizeof entry, DSM_Entry, allocate, release, lock, unlock};
  if (openId) return fail(twain::OPERATIONERROR);
  for (const Installed &each : installed) {
    if (each.identity.id != data->id) continue;
    if (!load(each.file, source)) break;
    called = nullptr;
    if (data->groups & twain::DS2) source.entry(origin, twain::CONTROL, twain::ENTRYPOINT, twain::SET, &entry);
    uint16_t rc = source.entry(origin, twain::CONTROL, twain::IDENTITY, twain::OPENDS, data);
    twain::Status status = {};
    if (rc == twain::SUCCESS) openId = data->id;
    else source.entry(origin, twain::CONTROL, twain::STATUS, twain::GET, &status), unload(source);
    lastCondition = status.condition;
    return rc;
  }
  return fail(twain::NODS);
}

static uint16_t close(twain::Identity *origin, twain::Identity *data) {
  if (!openId || data->id != openId) return fail(twain::NODS);
  uint16_t rc = source.entry(origin, twain::CONTROL, twain::IDENTITY, twain::CLOSEDS, data);
  twain::Status status = {};
  if (rc != twain::SUCCESS) source.entry(origin, twain::CONTROL, twain::STATUS, twain::GET, &status);
  lastCondition = status.condition;
  if (rc != twain::SUCCESS) return rc;
  unload(source);
  openId = 0;
  return rc;
}

static uint16_t manage(twain::Identity *origin, uint16_t message) {
  if (opened == (message == twain::OPENDSM) || openId) return fail(twain::SEQERROR);
  opened = !opened;
  installed.clear();
  if (!opened) return twain::SUCCESS;
  origin->groups |= twain::DSM2;
  char folder[MAX_PATH] = "";
  GetWindowsDirectoryA(folder, sizeof folder);
  look(origin, std::string(folder) + (sizeof(void *) == 8 ? "\\twain_64" : "\\twain_32"));
  return twain::SUCCESS;
}

static uint16_t own(twain::Identity *origin, uint16_t argument, uint16_t message, void *data) {
  switch (argument) {
    case twain::PARENT: return manage(origin, message);
    case twain::ENTRYPOINT:
      *(twain::EntryPoint *)data = {sizeof(twain::EntryPoint), DSM_Entry, allocate, release, lock, unlock};
      return twain::SUCCESS;
    case twain::IDENTITY:
      if (message == twain::OPENDS) return open(origin, (twain::Identity *)data);
      if (message == twain::CLOSEDS) return close(origin, (twain::Identity *)data);
      if (message == twain::GETFIRST) listed = 0;
      return next((twain::Identity *)data);
    case twain::STATUS:
      *(twain::Status *)data = {lastCondition, 0};
      lastCondition = 0;
      return twain::SUCCESS;
    default: return fail(twain::BADPROTOCOL);
  }
}

extern "C" uint16_t WINAPI DSM_Entry(twain::Identity *origin, twain::Identity *destination, uint32_t group, uint16_t argument, uint16_t message, void *data) {
  if (!destination) return own(origin, argument, message, data);
  /* The origin is the source, with the identity that it states itself. */
  if (argument == twain::NOTHING) {
    if (!called || !openId) return twain::FAILURE;
    return origin->id == openId ? called(origin, destination, group, argument, message, data) : (uint16_t)twain::SUCCESS;
  }
  if (!openId || destination->id != openId) return fail(twain::NODS);
  if (argument == twain::CALLBACK2) {
    memcpy(&called, &((twain::Callback2 *)data)->proc, sizeof called);
    return twain::SUCCESS;
  }
  return source.entry(origin, group, argument, message, data);
}
