#include "source.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string.h>

#include "answer.h"
#include "pump.h"

namespace source {

static twain::Identity current;
static bool opened, enabled, callback;

/* ---- events: reported on the pump's thread, by callback or by message, and fetched on the verbs' thread ---- */

static std::mutex guard;
static std::condition_variable changed;
static std::deque<const char *> events;
static bool waiting, interrupted, leaving;

static const char *nameOf(uint16_t message) {
  switch (message) {
    case twain::XFERREADY: return "xferready";
    case twain::CLOSEDSREQ: return "closerequest";
    case twain::CLOSEDSOK: return "closeok";
    case twain::DEVICEHAPPENED: return "deviceevent";
    default: return nullptr;
  }
}

static void tell(uint16_t message) {
  const char *name = nameOf(message);
  if (!name) return;
  std::lock_guard<std::mutex> held(guard);
  if (events.size() < 64) events.push_back(name);
  changed.notify_all();
}

static void forget() {
  std::lock_guard<std::mutex> held(guard);
  events.clear();
}

const char *wait(uint32_t ms) {
  std::unique_lock<std::mutex> held(guard);
  waiting = true;
  interrupted = false;
  changed.wait_for(held, std::chrono::milliseconds(ms), [] { return interrupted || leaving || !events.empty(); });
  waiting = false;
  if (events.empty()) return interrupted || leaving ? "interrupted" : "none";
  const char *event = events.front();
  events.pop_front();
  return event;
}

void interrupt() {
  std::lock_guard<std::mutex> held(guard);
  interrupted = waiting;
  changed.notify_all();
}

void leave() {
  std::lock_guard<std::mutex> held(guard);
  leaving = true;
  changed.notify_all();
}

static uint16_t CALLBACK called(twain::Identity *, twain::Identity *, uint32_t, uint16_t, uint16_t message, void *) {
  tell(message);
  return twain::SUCCESS;
}

/*
 * Shows each message to the source, which may report an event with any message, even one not for the source.
 * TWAIN 2 sources call back, but some only claim to; events that a manager could not deliver arrive here, too.
 */
static bool show(MSG *message) {
  if (!enabled) return false;
  twain::Event event = {message, 0};
  bool taken = dsm::send(&current, twain::CONTROL, twain::EVENT, twain::PROCESSEVENT, &event) == twain::DSEVENT;
  tell(event.answer);
  return taken;
}

static bool registerCallback() {
  if (!dsm::isVersion2() || !(current.groups & twain::DS2)) return false;
  void *proc;
  twain::Entry door = called;
  memcpy(&proc, &door, sizeof proc);
  twain::Callback2 second = {proc, 0, 0};
  if (dsm::send(&current, twain::CONTROL, twain::CALLBACK2, twain::REGISTER_CALLBACK, &second) == twain::SUCCESS) return true;
  twain::Callback first = {proc, 0, 0};
  return dsm::send(&current, twain::CONTROL, twain::CALLBACK1, twain::REGISTER_CALLBACK, &first) == twain::SUCCESS;
}

/* ---- open and enabled ---- */

std::string text(const char (&field)[34]) {
  int length = (int)strnlen(field, sizeof field);
  wchar_t wide[sizeof field];
  int units = MultiByteToWideChar(CP_ACP, 0, field, length, wide, sizeof field);
  char utf8[3 * sizeof field];
  return std::string(utf8, (size_t)WideCharToMultiByte(CP_UTF8, 0, wide, units, utf8, sizeof utf8, nullptr, nullptr));
}

twain::Identity *identity() {
  if (!opened) throw Trouble{"STATE", "no source is open"};
  return &current;
}

bool hasCallback() { return callback; }

bool find(const std::string &product, uint32_t id, twain::Identity &wanted) {
  if (!dsm::isOpen()) throw Trouble{"STATE", "the data source manager is not open"};
  if (opened) throw Trouble{"STATE", "a source is open"};
  bool found = false;
  list([&](const twain::Identity &each) {
    found = product == text(each.product) && (id == 0 || id == each.id);
    if (found) wanted = each;
    return !found;
  });
  return found;
}

dsm::Result open(twain::Identity wanted) {
  dsm::Result result = dsm::call(nullptr, twain::CONTROL, twain::IDENTITY, twain::OPENDS, &wanted);
  opened = result.rc == twain::SUCCESS;
  if (!opened) return result;
  current = wanted;
  forget();
  pump::filter = show;
  callback = registerCallback();
  return result;
}

dsm::Result close() {
  dsm::Result result = dsm::call(nullptr, twain::CONTROL, twain::IDENTITY, twain::CLOSEDS, identity());
  opened = result.rc != twain::SUCCESS;
  if (!opened) enabled = callback = false;
  return result;
}

dsm::Result enable() {
  twain::UserInterface hidden = {FALSE, FALSE, pump::window()};
  twain::Identity *asked = identity();
  forget();
  enabled = true; /* a source may report an event before it returns */
  dsm::Result result = dsm::call(asked, twain::CONTROL, twain::USERINTERFACE, twain::ENABLEDS, &hidden);
  enabled = result.rc == twain::SUCCESS || result.rc == twain::CHECKSTATUS;
  if (enabled) pump::beat(20);
  return result;
}

dsm::Result disable() {
  twain::UserInterface hidden = {FALSE, FALSE, pump::window()};
  dsm::Result result = dsm::call(identity(), twain::CONTROL, twain::USERINTERFACE, twain::DISABLEDS, &hidden);
  if (result.rc != twain::SUCCESS) return result;
  enabled = false;
  pump::beat(0);
  forget();
  return result;
}

void unwind() {
  if (opened && enabled) {
    twain::PendingXfers pending = {};
    dsm::send(&current, twain::CONTROL, twain::PENDINGXFERS, twain::ENDXFER, &pending);
    dsm::send(&current, twain::CONTROL, twain::PENDINGXFERS, twain::RESET, &pending);
    disable();
  }
  if (opened) close();
  if (dsm::isOpen()) dsm::close();
}

}  // namespace source
