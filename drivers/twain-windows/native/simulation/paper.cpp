#include "paper.h"

#include <deque>

#include "source.h"
#include "state.h"

namespace paper {

static std::deque<Image> path;
static bool fromFeeder, duplex, farAhead, stopped;
static int wanted; /* -1: all sheets */

/* The fault of the next sheet. A sheet's fault ends with that sheet; others stay until the test removes them. */
static std::string faultOfNext() {
  std::string fault = state::text("fault", "");
  int after = state::number("faultAfter", 0);
  if (fault.empty() || fault == "openfail") return "";
  if (after > 0) {
    state::write("faultAfter", std::to_string(after - 1));
    return "";
  }
  if (fault != "coveropen" && fault != "nomedia" && fault != "offline") state::write("fault", "");
  return fault;
}

static bool staysInFeeder(const std::string &fault) { return fault == "coveropen" || fault == "nomedia" || fault == "offline"; }

/* No sheet follows a stuck one. */
static bool feed() {
  int sheets = state::number("sheets", 3), fed = state::number("fed", 0);
  if (stopped || sheets <= 0 || (!path.empty() && !path.back().fault.empty())) return false;
  std::string fault = faultOfNext();
  if (!staysInFeeder(fault)) {
    state::write("sheets", std::to_string(sheets - 1));
    state::write("fed", std::to_string(fed + 1));
  }
  path.push_back({fed + 1, 0, fault});
  if (duplex && fault.empty()) path.push_back({fed + 1, 1, ""});
  return fault.empty();
}

static void feedAsFarAsItDoes() {
  if (farAhead) while (path.size() < (duplex ? 6u : 3u) && feed()) { }
  else if (path.empty()) feed();
}

twain::Condition begin(bool feeder, bool bothSides, bool ahead, int count) {
  drop();
  fromFeeder = feeder;
  duplex = feeder && bothSides;
  farAhead = feeder && ahead;
  stopped = false;
  wanted = count;
  if (feeder && state::number("refills", 0) > 0) state::write("sheets", state::text("refills", ""));
  if (feeder) feedAsFarAsItDoes();
  else path.push_back({0, 0, faultOfNext()});
  if (path.empty()) return twain::NOMEDIA;
  const std::string &fault = path.front().fault;
  twain::Condition condition = fault == "coveropen" ? twain::INTERLOCK : fault == "nomedia" ? twain::NOMEDIA : fault == "offline" ? twain::CHECKDEVICEONLINE : twain::FINE;
  if (condition != twain::FINE) drop();
  return condition;
}

bool current(Image &image) {
  if (path.empty()) return false;
  image = path.front();
  return true;
}

uint16_t next() {
  if (!path.empty()) {
    stopped = stopped || !path.front().fault.empty();
    path.pop_front();
  }
  if (wanted > 0 && --wanted == 0) drop();
  else if (fromFeeder && capabilities::value(AUTOFEED)) feedAsFarAsItDoes();
  return path.empty() ? 0 : 0xffff;
}

void stop() { stopped = true; }

void drop() { path.clear(); }

}  // namespace paper
