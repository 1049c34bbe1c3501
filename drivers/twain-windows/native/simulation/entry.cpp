/* A TWAIN data source without a scanner: the seven states of a source. README.md describes its keys. */
#include <stdio.h>
#include <string.h>

#include "paper.h"
#include "picture.h"
#include "source.h"
#include "state.h"

/* The specification's states; 3: not open. */
static int at = 3;
static uint16_t lastCondition;
/* The event not yet reported to the application. */
static uint16_t untold;
static twain::EntryPoint manager;
static twain::Identity self, application;

static Answer sequence() { return failure(twain::SEQERROR); }
static const Answer success = {twain::SUCCESS, 0};

/* The file's name without its extension: several copies of this source may be installed. */
static std::string fileName() {
  HMODULE self = nullptr;
  char path[MAX_PATH] = "";
  GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT, (LPCSTR)&application, &self);
  GetModuleFileNameA(self, path, sizeof path);
  std::string name = path;
  name = name.substr(name.find_last_of("\\/") + 1);
  return name.substr(0, name.rfind('.'));
}

/* Fails as `culprit` specifies whenever it is asked its name. */
static void breakDown() {
  if (state::text("culprit", "") != fileName()) return;
  std::string how = state::text("breaks", "crash");
  if (how == "crash") *(volatile int *)nullptr = 0;
  if (how == "hang") Sleep(INFINITE);
  if (how == "exit") ExitProcess(0);
}

static void describe(twain::Identity *to) {
  uint32_t id = to->id;
  const char *bits = sizeof(void *) == 8 ? "64" : "32";
  memset(to, 0, sizeof *to);
  to->id = id;
  to->version = {1, 0, 13, 1, "1.0"};
  to->protocolMajor = 2;
  to->protocolMinor = 4;
  to->groups = twain::CONTROL | twain::IMAGE | (state::number("callbacks", 1) ? (uint32_t)twain::DS2 : 0);
  snprintf(to->manufacturer, sizeof to->manufacturer, "Platen");
  snprintf(to->family, sizeof to->family, "Simulation");
  char name[31] = "";
  wchar_t wide[31] = L"";
  MultiByteToWideChar(CP_UTF8, 0, state::text("name", "Platen Simulation").substr(0, 30).c_str(), -1, wide, 31);
  WideCharToMultiByte(CP_ACP, 0, wide, -1, name, sizeof name, nullptr, nullptr);
  std::string file = fileName();
  snprintf(to->product, sizeof to->product, "%s %s%s", name, bits, file == "sane" ? "" : (" " + file).substr(0, 12).c_str());
}

/* Through the manager's entry point if it has one; otherwise with the next message that the application shows. */
static void tell(uint16_t message) {
  untold = message;
  if (!manager.entry || state::number("callbacks", 1) != 1) return;
  if (manager.entry(&self, &application, twain::CONTROL, twain::NOTHING, message, nullptr) == twain::SUCCESS) untold = 0;
}

/* Reports that an image is ready, unless its fault suppresses the report. */
static void offer() {
  paper::Image image;
  if (!paper::current(image)) return;
  transfers::rewind();
  at = 5;
  if (image.fault == "neverready") return;
  if (image.fault == "closerequest") return tell(twain::CLOSEDSREQ);
  at = 6;
  tell(twain::XFERREADY);
}

static Answer enable(const twain::UserInterface *how) {
  if (at != 4) return sequence();
  state::log(GetAncestor((HWND)how->parent, GA_PARENT) == GetDesktopWindow() ? "parent of the top level" : "parent that hears no broadcast");
  /* A message between a source and its own window is not for the application, whatever its number. */
  for (UINT message = WM_APP; message < WM_APP + 16; message++) PostMessageA((HWND)how->parent, message, 0, 0);
  twain::Condition condition = paper::begin(capabilities::value(FEEDERENABLED) != 0, capabilities::value(DUPLEXENABLED) != 0,
                                            capabilities::value(AUTOSCAN) != 0, (int)capabilities::value(XFERCOUNT));
  if (condition != twain::FINE) return failure(condition);
  at = 5;
  offer();
  bool dialogue = how->show || !capabilities::value(UICONTROLLABLE);
  return {(uint16_t)(dialogue ? twain::CHECKSTATUS : twain::SUCCESS), 0};
}

static Answer endTransfer(twain::PendingXfers *pending) {
  if (at < 6) return sequence();
  pending->count = paper::next();
  transfers::rewind();
  at = pending->count ? 6 : 5;
  return success;
}

static Answer pendingTransfers(uint16_t message, twain::PendingXfers *pending) {
  paper::Image image;
  switch (message) {
    case twain::ENDXFER: return endTransfer(pending);
    case twain::GET: pending->count = paper::current(image) ? 0xffff : 0; return success;
    case twain::STOPFEEDER:
      if (!capabilities::value(AUTOSCAN)) return sequence();
      paper::stop();
      return success;
    case twain::RESET:
      if (at != 6) return sequence();
      paper::drop();
      pending->count = 0;
      at = 5;
      return success;
    default: return failure(twain::BADPROTOCOL);
  }
}

/* Uses the identity with which the manager opens it: the earlier one that asked its name may be freed. */
static Answer open(const twain::Identity *who, const twain::Identity *as) {
  if (at != 3) return failure((twain::Condition)4); /* MAXCONNECTIONS */
  if (state::text("hangs", "") == "open") Sleep(INFINITE);
  if (state::text("fault", "") == "openfail") return failure(twain::OPERATIONERROR);
  at = 4;
  untold = 0;
  self = *as;
  application = *who;
  capabilities::reset();
  return success;
}

static Answer close() {
  if (at != 4) return sequence();
  if (state::text("hangs", "") == "close") Sleep(INFINITE);
  if (state::number("unclosed", 0)) return failure(twain::OPERATIONERROR);
  at = 3;
  paper::drop();
  state::log("closed unfreed=" + std::to_string(notFreed()));
  return success;
}

static Answer palette(twain::Palette8 *to) {
  if (capabilities::value(PIXELTYPE) != picture::PALETTE) return sequence();
  *to = {16, 0, {}};
  for (int i = 0; i < 16; i++) {
    to->colors[i].index = (uint8_t)i;
    picture::color(i, to->colors[i].channel);
  }
  return success;
}

static Answer control(twain::Identity *who, uint16_t argument, uint16_t message, void *data) {
  switch (argument) {
    case twain::IDENTITY:
      if (message == twain::OPENDS) return open(who, (const twain::Identity *)data);
      if (message == twain::CLOSEDS) return close();
      breakDown();
      describe((twain::Identity *)data);
      return success;
    case twain::ENTRYPOINT: memcpy(&manager, data, sizeof manager); return success;
    case twain::CAPABILITY: return at < 4 ? sequence() : capabilities::serve(message, (twain::Capability *)data);
    case twain::EVENT:
      ((twain::Event *)data)->answer = untold;
      untold = 0;
      return {(uint16_t)(((twain::Event *)data)->answer && state::number("callbacks", 1) < 2 ? twain::DSEVENT : twain::NOTDSEVENT), 0};
    case twain::USERINTERFACE:
      if (message == twain::ENABLEDS) return enable((const twain::UserInterface *)data);
      if (message != twain::DISABLEDS || at != 5) return sequence();
      at = 4;
      paper::drop();
      if (state::number("quits", 0)) PostQuitMessage(0);
      return success;
    case twain::PENDINGXFERS: return pendingTransfers(message, (twain::PendingXfers *)data);
    case twain::SETUPMEMXFER: return transfers::setup((twain::SetupMemXfer *)data);
    case twain::STATUS:
      *(twain::Status *)data = {lastCondition, 0};
      return success;
    case twain::XFERGROUP: return success;
    default: return failure(twain::BADPROTOCOL);
  }
}

static Answer image(uint16_t argument, uint16_t message, void *data) {
  Answer answer;
  switch (argument) {
    case twain::IMAGEINFO: return at < 6 ? sequence() : transfers::info((twain::ImageInfo *)data);
    case twain::IMAGELAYOUT: return at < 4 ? sequence() : capabilities::layout(message, (twain::ImageLayout *)data);
    case twain::PALETTE8: return palette((twain::Palette8 *)data);
    case twain::IMAGENATIVEXFER: case twain::IMAGEMEMXFER:
      if (at < 6 || capabilities::value(XFERMECH) != (argument == twain::IMAGEMEMXFER ? 2 : 0)) return sequence();
      answer = argument == twain::IMAGEMEMXFER ? transfers::memory((twain::MemXfer *)data) : transfers::native((HANDLE *)data);
      at = answer.rc == twain::FAILURE ? 6 : 7;
      return answer;
    default: return failure(twain::BADPROTOCOL);
  }
}

static void note(uint32_t group, uint16_t argument, uint16_t message, const void *data, Answer answer) {
  char line[120];
  int length = snprintf(line, sizeof line, "%x %x %x rc=%d cc=%d state=%d", (unsigned)group, argument, message, answer.rc, answer.cc, at);
  if (argument == twain::CAPABILITY) snprintf(line + length, sizeof line - (size_t)length, " cap=%x", ((const twain::Capability *)data)->cap);
  if (argument == twain::USERINTERFACE) snprintf(line + length, sizeof line - (size_t)length, " show=%d", ((const twain::UserInterface *)data)->show);
  state::log(line);
}

extern "C" uint16_t WINAPI DS_Entry(twain::Identity *who, uint32_t group, uint16_t argument, uint16_t message, void *data) {
  state::read();
  Answer answer = group == twain::IMAGE ? image(argument, message, data) : control(who, argument, message, data);
  bool quiet = argument == twain::EVENT || argument == twain::STATUS;
  if (argument != twain::STATUS) lastCondition = answer.cc;
  if (!quiet) note(group, argument, message, data, answer);
  return answer.rc;
}
