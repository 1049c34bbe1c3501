/* TWAINDSM.dll as far as a driver sees it: a data source manager of version 2, with callbacks and memory of its own. Wine's is of version 1. */
#include <stdio.h>
#include <string.h>
#include <string>

#include "../twain.h"

/* A source's door has no destination. */
typedef uint16_t(WINAPI *SourceEntry)(twain::Identity *origin, uint32_t group, uint16_t argument, uint16_t message, void *data);

static SourceEntry source;
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

/* Where Wine's manager looks, too. */
static bool load() {
  if (source) return true;
  char folder[MAX_PATH] = "";
  GetWindowsDirectoryA(folder, sizeof folder);
  HMODULE library = LoadLibraryA((std::string(folder) + (sizeof(void *) == 8 ? "\\twain_64\\sane.ds" : "\\twain_32\\sane.ds")).c_str());
  FARPROC door = library ? GetProcAddress(library, "DS_Entry") : nullptr;
  memcpy(&source, &door, sizeof door);
  return source != nullptr;
}

static uint16_t identity(twain::Identity *origin, uint16_t message, twain::Identity *data) {
  twain::EntryPoint entry = {sizeof entry, DSM_Entry, allocate, release, lock, unlock};
  switch (message) {
    case twain::GETFIRST:
      if (!load()) return fail(twain::NODS);
      source(origin, twain::CONTROL, twain::IDENTITY, twain::GET, data);
      data->id = 1;
      return twain::SUCCESS;
    case twain::GETNEXT: return twain::ENDOFLIST;
    case twain::OPENDS:
      called = nullptr;
      if (!load()) return fail(twain::NODS);
      if (data->groups & twain::DS2) source(origin, twain::CONTROL, twain::ENTRYPOINT, twain::SET, &entry);
      break;
    default: break;
  }
  uint16_t rc = source(origin, twain::CONTROL, twain::IDENTITY, message, data);
  twain::Status status = {};
  if (rc == twain::FAILURE) source(origin, twain::CONTROL, twain::STATUS, twain::GET, &status);
  lastCondition = status.condition;
  return rc;
}

static uint16_t own(twain::Identity *origin, uint16_t argument, uint16_t message, void *data) {
  switch (argument) {
    case twain::PARENT:
      if (opened == (message == twain::OPENDSM)) return fail(twain::SEQERROR);
      opened = !opened;
      if (opened) origin->groups |= twain::DSM2;
      return twain::SUCCESS;
    case twain::ENTRYPOINT:
      *(twain::EntryPoint *)data = {sizeof(twain::EntryPoint), DSM_Entry, allocate, release, lock, unlock};
      return twain::SUCCESS;
    case twain::IDENTITY: return identity(origin, message, (twain::Identity *)data);
    case twain::STATUS:
      *(twain::Status *)data = {lastCondition, 0};
      lastCondition = 0;
      return twain::SUCCESS;
    default: return fail(twain::BADPROTOCOL);
  }
}

extern "C" uint16_t WINAPI DSM_Entry(twain::Identity *origin, twain::Identity *destination, uint32_t group, uint16_t argument, uint16_t message, void *data) {
  if (!destination) return own(origin, argument, message, data);
  if (argument == twain::NOTHING) return called ? called(origin, destination, group, argument, message, data) : (uint16_t)twain::FAILURE;
  if (argument == twain::CALLBACK2) {
    memcpy(&called, &((twain::Callback2 *)data)->proc, sizeof called);
    return twain::SUCCESS;
  }
  return source(origin, group, argument, message, data);
}
