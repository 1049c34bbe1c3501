#include <map>
#include <math.h>
#include <sstream>
#include <string.h>
#include <vector>

#include "source.h"
#include "state.h"

namespace capabilities {

enum { STR255 = 12 };
enum { INT16 = 1, INT32 = 2, UINT16 = 4, BOOL16 = 6, FIX32 = 7 };

/* `values`: the choices; for a RANGE minimum, maximum, step. The first is the initial value. */
struct Described { uint16_t type, container; bool settable; std::vector<double> values; double preset; };

static std::map<uint16_t, double> current;
static twain::Frame frame;

static double limit(const char *key, double absent) { return state::number(key, (int)(absent * 100)) / 100.0; }

static Described one(uint16_t type, double value) { return {type, twain::ONEVALUE, false, {value}, value}; }
static Described choice(uint16_t type, std::vector<double> values) { return {type, twain::ENUMERATION, true, values, values[0]}; }
static Described flag(bool preset, bool settable = true) {
  return {BOOL16, twain::ONEVALUE, settable, settable ? std::vector<double>{0, 1} : std::vector<double>{(double)preset}, (double)preset};
}

static std::vector<double> listed(const char *key, const char *absent) {
  std::stringstream words(state::text(key, absent));
  std::vector<double> values;
  for (std::string word; std::getline(words, word, ',');) values.push_back(atof(word.c_str()));
  return values;
}

static bool describe(uint16_t cap, Described &as) {
  bool feeder = state::number("hasfeeder", 1) != 0, flatbed = state::number("hasflatbed", 1) != 0, duplex = feeder && state::number("hasduplex", 1) != 0;
  bool extras = state::number("extras", 0) != 0;
  std::string fault = state::text("fault", ""), flavor = state::text("flavor", ""), mechs = state::text("mechs", "both");
  std::vector<double> resolutions = listed("resolutions", "200,75,100,150,300,600"), types = listed("pixeltypes", "2,0,1");
  switch (cap) {
    case XFERCOUNT: as = {INT16, twain::ONEVALUE, true, {-1, 32767, 1}, -1}; return true;
    case COMPRESSION: case UNITS: case PLANARCHUNKY: as = choice(UINT16, {0}); return true;
    case BITORDER: as = choice(UINT16, state::number("swaps", 0) ? std::vector<double>{0, 1} : std::vector<double>{1}); return true;
    case PIXELTYPE: as = choice(UINT16, types); return true;
    case BITDEPTH: {
      double type = value(PIXELTYPE);
      as = choice(UINT16, {type == 0 ? 1.0 : type == 2 ? 24.0 : 8.0});
      return true;
    }
    case XFERMECH: as = choice(UINT16, mechs == "native" ? std::vector<double>{0} : mechs == "memory" ? std::vector<double>{2} : std::vector<double>{0, 2}); return true;
    case FEEDERENABLED: as = flag(feeder, feeder && flatbed); return feeder;
    case FEEDERLOADED: as = flag(feeder && state::number("sheets", 3) > 0, false); return feeder;
    case AUTOFEED: as = flag(true); return feeder;
    case AUTOSCAN: as = flag(false); return feeder && state::number("autoscan", 0) != 0;
    case INDICATORS: as = flag(true); return true;
    case PAPERDETECTABLE: as = flag(state::number("paperdetectable", 1) != 0, false); return feeder;
    case UICONTROLLABLE: as = flag(state::number("uicontrollable", 1) != 0, false); return true;
    case DEVICEONLINE: as = flag(fault != "offline", false); return true;
    case DUPLEX: as = one(UINT16, duplex ? 1 : 0); return true;
    case DUPLEXENABLED: as = flag(false); return duplex;
    case SHEETWIDTH: as = one(FIX32, limit("width", 8.5)); return true;
    case SHEETHEIGHT: as = one(FIX32, limit("height", 14)); return true;
    case XRESOLUTION: case YRESOLUTION:
      as = state::number("ranges", 0) ? Described{FIX32, twain::RANGE, true, {50, 600, 1}, 200} : choice(FIX32, resolutions);
      return true;
    case PIXELFLAVOR: as = choice(UINT16, flavor == "vanilla" ? std::vector<double>{1} : flavor == "chocolate" ? std::vector<double>{0} : std::vector<double>{0, 1}); return true;
    case SUPPORTEDSIZES: as = choice(UINT16, listed("sizes", "0,1,3,4,5")); return true;
    case UNDEFINEDIMAGESIZE: as = flag(state::number("unknownlength", 0) != 0, false); return true;
    case BORDERDETECTION: case DESKEW: case ROTATE: as = flag(false); return state::number("adjusts", 0) != 0;
    case AUTOBRIGHT: as = flag(true); return extras;
    case BRIGHTNESS: as = {FIX32, twain::RANGE, true, {-1000, 1000, 10}, 0}; return extras;
    case CONTRAST: as = {FIX32, twain::ENUMERATION, true, {-1000, -500, 0, 500, 1000}, 0}; return extras;
    case BITDEPTHREDUCTION: as = choice(UINT16, {1, 0}); return extras;
    case THRESHOLD: as = {FIX32, twain::RANGE, true, {0, 255, 1}, 128}; return extras && value(PIXELTYPE) == 0;
    case GAMMA: as = {FIX32, twain::RANGE, true, {0.5, 3, 0.5}, 1.5}; return extras;
    case NOISEFILTER: as = choice(UINT16, {0, 1, 2, 3}); return extras;
    case INK: as = {INT16, twain::RANGE, true, {0, 100, 5}, 0}; return extras;
    case PAPERSAVER: as = flag(false); return extras;
    case COUNTER: as = one(INT32, 7); return extras;
    case SUPPORTEDCAPS: as = {UINT16, twain::ARRAY, false, {}, 0}; return true;
    default: return false;
  }
}

double value(uint16_t cap) {
  Described as;
  auto set = current.find(cap);
  if (!describe(cap, as)) return 0;
  if (!as.settable || set == current.end()) return as.preset;
  if (as.container == twain::ENUMERATION) {
    for (double each : as.values) if (each == set->second) return each;
    return as.preset;
  }
  return set->second;
}

void set(uint16_t cap, double to) { current[cap] = to; }

/* ---- bytes ---- */

static twain::Fix32 fixed(double value) {
  int32_t whole = (int32_t)floor(value * 65536 + 0.5);
  return {(int16_t)(whole >> 16), (uint16_t)(whole & 0xffff)};
}

static double number(const twain::Fix32 &fix) { return fix.whole + fix.fraction / 65536.0; }

static uint32_t item(uint16_t type, double value) {
  uint32_t bits = (uint32_t)(int32_t)value;
  twain::Fix32 fix = fixed(value);
  if (type == FIX32) memcpy(&bits, &fix, sizeof bits);
  return bits;
}

static double fromItem(uint16_t type, uint32_t bits) {
  twain::Fix32 fix;
  memcpy(&fix, &bits, sizeof fix);
  return type == FIX32 ? number(fix) : type == INT16 || type == INT32 ? (double)(int32_t)bits : (double)(uint16_t)bits;
}

static void giveOne(twain::Capability *asked, uint16_t type, double value) {
  twain::OneValue container = {type, item(type, value)};
  asked->conType = twain::ONEVALUE;
  asked->container = give(&container, sizeof container);
}

template <typename Head> static void giveMany(twain::Capability *asked, uint16_t conType, Head head, const std::vector<double> &values) {
  uint32_t size = twain::sizeOf(head.type);
  std::vector<uint8_t> bytes(sizeof head + size * values.size());
  memcpy(bytes.data(), &head, sizeof head);
  for (size_t i = 0; i < values.size(); i++) {
    uint32_t bits = item(head.type, values[i]);
    memcpy(bytes.data() + sizeof head + i * size, &bits, size);
  }
  asked->conType = conType;
  asked->container = give(bytes.data(), bytes.size());
}

static uint32_t place(const std::vector<double> &values, double value) {
  for (size_t i = 0; i < values.size(); i++) if (values[i] == value) return (uint32_t)i;
  return 0;
}

static void giveAll(twain::Capability *asked, const Described &as, double now) {
  if (as.container == twain::ENUMERATION) {
    giveMany(asked, twain::ENUMERATION, twain::Enumeration{as.type, (uint32_t)as.values.size(), place(as.values, now), place(as.values, as.preset)}, as.values);
  } else if (as.container == twain::RANGE) {
    twain::Range range = {as.type, item(as.type, as.values[0]), item(as.type, as.values[1]), item(as.type, as.values[2]), item(as.type, as.preset), item(as.type, now)};
    asked->conType = twain::RANGE;
    asked->container = give(&range, sizeof range);
  } else if (as.container == twain::ARRAY) {
    std::vector<double> known;
    Described each;
    for (int cap = 0; cap < 0x8010; cap++) if (describe((uint16_t)cap, each)) known.push_back(cap);
    giveMany(asked, twain::ARRAY, twain::Array{as.type, (uint32_t)known.size()}, known);
  } else giveOne(asked, as.type, now);
}

/* ---- setting ---- */

static void resize(double width, double height) { frame = {fixed(0), fixed(0), fixed(width), fixed(height)}; }

/* With the quirks of a source that rounds to its own steps, or that moves what it is asked for. */
static void place(const twain::Frame &asked) {
  double width = value(SHEETWIDTH), height = value(SHEETHEIGHT);
  double more = state::number("coarse", 0) / 100.0, moved = state::number("shifts", 0) / 100.0;
  frame = {fixed(number(asked.left) + moved), asked.top, fixed(std::min(width, number(asked.right) + moved + more)), fixed(std::min(height, number(asked.bottom) + more))};
}

static void toSize(double size) {
  double width = value(SHEETWIDTH), height = value(SHEETHEIGHT);
  if (size == 1) width = 8.27, height = 11.69;
  else if (size == 3) width = 8.5, height = 11;
  else if (size == 4) width = 8.5, height = 14;
  else if (size == 5) width = 5.83, height = 8.27;
  resize(std::min(width, value(SHEETWIDTH)), std::min(height, value(SHEETHEIGHT)));
}

static Answer change(uint16_t cap, const Described &as, double to) {
  double nearest = as.values[0];
  bool within = as.container == twain::RANGE || cap == XFERCOUNT;
  if (within) nearest = std::max(as.values[0], std::min(as.values[1], floor(to / as.values[2] + 0.5) * as.values[2]));
  else for (double each : as.values) if (fabs(each - to) < fabs(nearest - to)) nearest = each;
  bool resolution = cap == XRESOLUTION || cap == YRESOLUTION;
  if ((nearest != to && !resolution) || (cap == XFERCOUNT && to == 0)) return failure(twain::BADVALUE);
  if (state::number("lies", 0)) return {twain::SUCCESS, 0};
  current[cap] = nearest;
  if (cap == SUPPORTEDSIZES) toSize(nearest);
  return {(uint16_t)(nearest == to ? twain::SUCCESS : twain::CHECKSTATUS), (uint16_t)(nearest == to ? twain::FINE : twain::BADVALUE)};
}

void reset() {
  current.clear();
  toSize(value(SUPPORTEDSIZES));
}

static Answer say(uint16_t message, twain::Capability *asked) {
  const char *words = asked->cap == INK ? (message == twain::GETLABEL ? "Ink" : "Is added to every level.") : asked->cap == PAPERSAVER && message == twain::GETLABEL ? "Paper saver" : nullptr;
  if (!words) return failure(twain::CAPBADOPERATION);
  std::vector<uint8_t> bytes(sizeof(uint16_t) + twain::sizeOf(STR255));
  bytes[0] = STR255;
  memcpy(bytes.data() + sizeof(uint16_t), words, strlen(words));
  asked->conType = twain::ONEVALUE;
  asked->container = give(bytes.data(), bytes.size());
  return {twain::SUCCESS, 0};
}

Answer serve(uint16_t message, twain::Capability *asked) {
  Described as;
  if (!describe(asked->cap, as)) return failure(twain::CAPUNSUPPORTED);
  switch (message) {
    case twain::GET: giveAll(asked, as, value(asked->cap)); return {twain::SUCCESS, 0};
    case twain::GETCURRENT: case twain::GETDEFAULT:
      if (as.container == twain::ARRAY) giveAll(asked, as, 0);
      else giveOne(asked, as.type, message == twain::GETCURRENT ? value(asked->cap) : as.preset);
      return {twain::SUCCESS, 0};
    case twain::GETLABEL: case twain::GETHELP: return say(message, asked);
    case twain::QUERYSUPPORT: giveOne(asked, INT32, as.settable ? 31 : 13); return {twain::SUCCESS, 0};
    case twain::RESET:
      current.erase(asked->cap);
      giveAll(asked, as, as.preset);
      return {twain::SUCCESS, 0};
    case twain::SET: {
      const twain::OneValue *given = as.settable && asked->conType == twain::ONEVALUE ? (const twain::OneValue *)GlobalLock(asked->container) : nullptr;
      if (!given) return failure(as.settable ? twain::BADVALUE : twain::CAPBADOPERATION);
      Answer answer = given->type == as.type ? change(asked->cap, as, fromItem(given->type, given->item)) : failure(twain::BADVALUE);
      GlobalUnlock(asked->container);
      return answer;
    }
    default: return failure(twain::CAPBADOPERATION);
  }
}

Answer layout(uint16_t message, twain::ImageLayout *asked) {
  if (message == twain::SET) {
    double width = number(asked->frame.right) - number(asked->frame.left), height = number(asked->frame.bottom) - number(asked->frame.top);
    if (width <= 0 || height <= 0) return failure(twain::BADVALUE);
    place(asked->frame);
  } else if (message == twain::RESET) toSize(value(SUPPORTEDSIZES));
  *asked = {frame, 1, 1, 1};
  return {twain::SUCCESS, 0};
}

}  // namespace capabilities
