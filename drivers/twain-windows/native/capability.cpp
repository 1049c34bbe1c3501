#include "capability.h"

#include <algorithm>
#include <string.h>

#include "pump.h"
#include "source.h"

/* The length that a container claims. */
static uint64_t lengthOf(const uint8_t *at, uint64_t room, uint16_t conType) {
  uint16_t type;
  uint32_t count;
  if (room < sizeof(twain::Array)) return room;
  memcpy(&type, at, sizeof type);
  memcpy(&count, at + sizeof type, sizeof count);
  uint64_t item = twain::sizeOf(type);
  switch (conType) {
    case twain::ONEVALUE: return sizeof type + std::max<uint64_t>(item, 4);
    case twain::ARRAY: return sizeof(twain::Array) + count * item;
    case twain::ENUMERATION: return sizeof(twain::Enumeration) + count * item;
    case twain::RANGE: return sizeof(twain::Range);
    default: return 0;
  }
}

static Bytes contentOf(HANDLE container, uint16_t conType) {
  const uint8_t *at = container ? (const uint8_t *)dsm::lock(container) : nullptr;
  if (!at) return Bytes();
  uint64_t room = GlobalSize(container); /* a source may claim more than there is */
  Bytes content(at, at + std::min(room, lengthOf(at, room, conType)));
  dsm::unlock(container);
  return content;
}

void capability(const platen_request *request, const Call &call) {
  Bytes given = call.bytes("container");
  twain::Capability asked = {(uint16_t)call.number("cap"), (uint16_t)call.number("conType", twain::DONTCARE), nullptr};
  uint16_t message = (uint16_t)call.number("msg");
  pump::run([&] {
    twain::Identity *identity = source::identity();
    if (!given.empty()) {
      asked.container = dsm::allocate((uint32_t)given.size());
      void *at = asked.container ? dsm::lock(asked.container) : nullptr;
      if (!at) throw Trouble{"NOMEM", "no memory for a container"};
      memcpy(at, given.data(), given.size());
      dsm::unlock(asked.container);
    }
    HANDLE own = asked.container;
    dsm::Result result = dsm::call(identity, twain::CONTROL, twain::CAPABILITY, message, &asked);
    bool answered = result.rc == twain::SUCCESS || result.rc == twain::CHECKSTATUS;
    Bytes content = answered ? contentOf(asked.container, asked.conType) : Bytes();
    if (answered && asked.container != own) dsm::free(asked.container);
    dsm::free(own);
    Frame frame(request, false);
    frame.with("rc", (double)result.rc).with("cc", (double)result.cc).with("conType", (double)asked.conType);
    frame.send(content.data(), content.size());
  });
}

/* No structure of TWAIN without pointers has more bytes: TW_PALETTE8 has 1028, TW_INFO's strings 1026. */
static const size_t largest = 4096;

void triplet(const platen_request *request, const Call &call) {
  std::string destination = call.text("dest");
  bool toSource = destination == "source";
  if (!toSource && destination != "dsm") throw Trouble{"INVAL", "\"dest\" must be \"source\" or \"dsm\""};
  uint32_t group = call.number("dg");
  uint16_t argument = (uint16_t)call.number("dat"), message = (uint16_t)call.number("msg");
  Bytes bytes = call.bytes("bytes");
  size_t length = bytes.size();
  bytes.resize(length + largest); /* a source may fill a longer structure than the request has */
  pump::run([&] {
    if (!dsm::isOpen()) throw Trouble{"STATE", "the data source manager is not open"};
    dsm::Result result = dsm::call(toSource ? source::identity() : nullptr, group, argument, message, bytes.data());
    Frame frame(request, false);
    frame.with("rc", (double)result.rc).with("cc", (double)result.cc).send(bytes.data(), length);
  });
}
