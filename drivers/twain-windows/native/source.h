/* The open data source: its identity, its events, and the way back to a known state. */
#pragma once
#include <string>

#include "dsm.h"

namespace source {

/* Throws Trouble STATE if none is open. On the pump's thread. */
twain::Identity *identity();
bool hasCallback();

/* A limit, for a manager whose list restarts at its end. */
static const uint32_t MOST = 1000;

/* Calls back for each installed source; false ends the list. On the pump's thread. */
template <typename Each> dsm::Result list(Each each) {
  twain::Identity found = {};
  dsm::Result result = dsm::call(nullptr, twain::CONTROL, twain::IDENTITY, twain::GETFIRST, &found);
  for (uint32_t count = 1; result.rc == twain::SUCCESS && each(found) && count < MOST; count++) result = dsm::call(nullptr, twain::CONTROL, twain::IDENTITY, twain::GETNEXT, &found);
  return result;
}

/* A field of an identity, which is in the system's code page and need not end with a zero, as UTF-8. */
std::string text(const char (&field)[34]);

/* `id` 0: the first of that name. Throws Trouble STATE if none can be opened. On the pump's thread. */
bool find(const std::string &product, uint32_t id, twain::Identity &wanted);
dsm::Result open(twain::Identity wanted);
dsm::Result close();
dsm::Result enable();
dsm::Result disable();
/* Ends any transfer and closes everything, whatever the source answers. On the pump's thread. */
void unwind();

/* The next event: "xferready", "closerequest", "closeok", "deviceevent"; "none" after `ms`; "interrupted". */
const char *wait(uint32_t ms);
/* Ends the running `wait`. Any thread. */
void interrupt();
/* Ends this and every later `wait`. */
void leave();

}  // namespace source
