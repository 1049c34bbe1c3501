/*
 * Fuzzes platen-twain-helper, on Linux, over a made-up data source manager with two sources: what they answer depends on the
 * strings with which the application opens the manager, so that an input decides it. Everything runs on one thread.
 */
#define PLATEN_FUZZ
#define main helper_main
#include "../main.cpp"
#undef main

#include <winternl.h>
#include "windowsFunctions.h"

static unsigned char plan[16];
static int left, listed;
/* The verb is `triplet`: the request has written the structure, which may hold any pointer. */
static bool isRaw;

/* ---- the pump: the same thread ---- */

namespace pump {
std::function<bool(MSG *)> filter;
bool start() { return true; }
HWND window() { return nullptr; }
void beat(unsigned) {}
void run(const std::function<void()> &job) {
  MSG message = {};
  if (filter) filter(&message);
  job();
}
}  // namespace pump

/* ---- the files that the manager loads ---- */

/* As in loads.cpp. */
namespace loads { struct Loaded { ULONG flags; const UNICODE_STRING *path, *name; void *base; ULONG size; }; }
using loads::Loaded;
static void (*listener)(ULONG, const Loaded *, void *);

static LONG registerListener(ULONG, void (*listens)(ULONG, const Loaded *, void *), void *, void **cookie) {
  listener = listens;
  *cookie = nullptr;
  return 0;
}

static void load(const wchar_t *path) {
  UNICODE_STRING text = {(USHORT)(wcslen(path) * sizeof *path), 0, const_cast<wchar_t *>(path)};
  Loaded what = {0, &text, &text, nullptr, 0};
  if (listener) listener(plan[0] % 4 == 3 ? 2 : 1, &what, nullptr);
}

/* ---- the manager and its sources ---- */

static uint16_t result(int which) {
  static const uint16_t all[] = {twain::SUCCESS, twain::SUCCESS, twain::SUCCESS, twain::FAILURE, twain::CHECKSTATUS, twain::CANCEL, 77};
  return all[plan[which] % 7];
}

static void name(twain::Identity *to, uint32_t id) {
  memset(to, 0, sizeof *to);
  to->id = id;
  to->groups = twain::CONTROL | twain::IMAGE | (plan[1] % 2 ? twain::DS2 : 0);
  snprintf(to->product, sizeof to->product, id == 1 ? "a" : "b\xfc");
  memset(to->manufacturer, plan[2] | 1, sizeof to->manufacturer); /* without a zero at its end */
  memset(to->family, id == 1 ? '"' : 0x81, sizeof to->family);
}

static uint16_t identity(uint16_t message, twain::Identity *to) {
  switch (message) {
    case twain::GETFIRST:
      load(L"C:\\windows\\twain_64\\B\xfcro.DS");
      load(L"C:\\windows\\system32\\other.dll");
      listed = 1;
      return plan[3] % 8 == 7 ? (uint16_t)twain::ENDOFLIST : (name(to, 1), (uint16_t)twain::SUCCESS);
    case twain::GETNEXT:
      if (++listed > 2 && plan[3] % 8 != 6) return twain::ENDOFLIST; /* or the list never ends */
      name(to, (uint32_t)listed);
      return twain::SUCCESS;
    case twain::OPENDS: return plan[4] % 8 == 7 ? (uint16_t)twain::FAILURE : (uint16_t)twain::SUCCESS;
    case twain::CLOSEDS: return plan[4] % 8 == 6 ? (uint16_t)twain::FAILURE : (uint16_t)twain::SUCCESS;
    default: return result(4);
  }
}

/* A container that claims what it likes, in memory of its own or in what it was given. */
static uint16_t capability(twain::Capability *asked) {
  static const uint16_t kinds[] = {twain::ARRAY, twain::ENUMERATION, twain::ONEVALUE, twain::RANGE, twain::DONTCARE, 0};
  uint16_t rc = result(5);
  if (rc != twain::SUCCESS && rc != twain::CHECKSTATUS) return rc;
  asked->conType = kinds[plan[6] % 6];
  if (plan[7] % 4 == 3) return rc;
  size_t size = plan[7];
  HANDLE made = GlobalAlloc(GHND, size);
  memset(GlobalLock(made), plan[8], size);
  if (size > 0) ((uint8_t *)made)[0] = plan[9] % 17; /* the type of its items */
  if (size > 1) ((uint8_t *)made)[1] = 0;
  asked->container = made;
  return rc;
}

static uint16_t transfer(uint16_t argument, void *data) {
  uint16_t rc = plan[10] % 2 ? result(10) : (uint16_t)twain::XFERDONE;
  if (argument == twain::IMAGENATIVEXFER) {
    if (rc == twain::XFERDONE && plan[11] % 4 != 3) *(HANDLE *)data = GlobalAlloc(GHND, (size_t)plan[11] * plan[12] * 64);
    else if (rc == twain::XFERDONE && plan[11] % 8 == 7) *(HANDLE *)data = nullptr;
    return rc;
  }
  twain::MemXfer *strip = (twain::MemXfer *)data;
  uint32_t room = strip->memory.length, written = plan[11] % 4 == 3 ? 0xffffffffu : std::min(room, (uint32_t)plan[12] * 100);
  memset(strip->memory.at, plan[8], std::min(room, written));
  strip->compression = plan[9];
  strip->bytesPerRow = strip->columns = strip->rows = plan[13] * 0x01010101u;
  strip->bytesWritten = written;
  return --left <= 0 ? (uint16_t)twain::XFERDONE : rc == twain::XFERDONE ? (uint16_t)twain::SUCCESS : rc;
}

/* Structures without a pointer: as large as the specification says. */
static size_t plain(uint16_t argument) {
  switch (argument) {
    case twain::STATUS: return sizeof(twain::Status);
    case twain::PENDINGXFERS: return sizeof(twain::PendingXfers);
    case twain::SETUPMEMXFER: return sizeof(twain::SetupMemXfer);
    case twain::IMAGEINFO: return sizeof(twain::ImageInfo);
    case twain::IMAGELAYOUT: return sizeof(twain::ImageLayout);
    case twain::PALETTE8: return sizeof(twain::Palette8);
    case twain::IDENTITY: return sizeof(twain::Identity);
    default: return 0;
  }
}

static twain::Entry callback;

static uint16_t entry(twain::Identity *origin, twain::Identity *, uint32_t, uint16_t argument, uint16_t message, void *data) {
  if (isRaw || plain(argument) == sizeof(twain::PendingXfers)) {
    if (plain(argument)) memset(data, plan[14], plain(argument));
    return isRaw ? result(14) : (uint16_t)twain::SUCCESS;
  }
  switch (argument) {
    case twain::PARENT:
      if (message != twain::OPENDSM) return plan[15] % 8 == 6 ? (uint16_t)twain::FAILURE : (uint16_t)twain::SUCCESS;
      for (size_t i = 0; i < sizeof origin->product; i++) plan[i % sizeof plan] = (unsigned char)(plan[i % sizeof plan] + (unsigned char)origin->product[i]);
      left = 1 + plan[12] % 20;
      callback = nullptr;
      load(L"C:\\windows\\twain_64\\a.ds");
      origin->groups |= plan[1] % 2 ? twain::DSM2 : 0;
      return result(15) == twain::FAILURE ? (uint16_t)twain::FAILURE : (uint16_t)twain::SUCCESS;
    case twain::IDENTITY: return identity(message, (twain::Identity *)data);
    case twain::STATUS: *(twain::Status *)data = {plan[13], 0}; return twain::SUCCESS;
    case twain::CAPABILITY: return ::capability((twain::Capability *)data);
    case twain::EVENT:
      ((twain::Event *)data)->answer = (uint16_t)(0x100 + plan[9] % 6);
      return plan[9] % 2 ? twain::DSEVENT : twain::NOTDSEVENT;
    case twain::USERINTERFACE:
      for (int i = 0; message == twain::ENABLEDS && callback && i < 100; i++) callback(nullptr, nullptr, 0, 0, (uint16_t)(0x100 + (plan[9] + i) % 6), nullptr);
      return result(message == twain::ENABLEDS ? 13 : 14);
    case twain::CALLBACK1: case twain::CALLBACK2:
      if (plan[0] % 2 && argument == twain::CALLBACK2) return twain::FAILURE;
      memcpy(&callback, &((twain::Callback2 *)data)->proc, sizeof callback);
      return twain::SUCCESS;
    case twain::IMAGENATIVEXFER: case twain::IMAGEMEMXFER: return transfer(argument, data);
    default: return twain::FAILURE; /* ENTRYPOINT too: the memory is Windows' */
  }
}

FARPROC GetProcAddress(HMODULE, LPCSTR wanted) {
  return strcmp(wanted, "DSM_Entry") == 0 ? (FARPROC)entry : strcmp(wanted, "LdrRegisterDllNotification") == 0 ? (FARPROC)registerListener : nullptr;
}

/* ---- the verbs ---- */

static void run_one(const platen_request *request) {
  isRaw = strcmp(request->verb, "triplet") == 0;
  run(request);
  isRaw = false;
}

static platen_verb known[verbs];

static void begin() {
  for (size_t i = 0; i < verbs; i++) known[i] = {table[i].name, run_one, 0};
  source::leave(); /* no `wait` waits */
}

/* What the made-up source refuses to close stays open in the helper, too: here it gives in. */
static void reset() {
  memset(plan, 0, sizeof plan);
  source::unwind();
  loads::letGo();
}

#define PLATEN_FUZZ_VERBS known
#define PLATEN_FUZZ_BEGIN begin
#define PLATEN_FUZZ_RESET reset
#include "platen_fuzz.h"
