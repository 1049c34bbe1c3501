/*
 * platen-twain-helper: TWAIN behind the frames of @platen/driver-kit. VERBS.md describes the verbs; the policy is in TypeScript.
 *
 * Four threads: verbs wait on the first while the pump, TWAIN's thread, runs them; `interrupt` and stdin have one
 * each.
 */
#include "platen_helper.h"

#include <algorithm>
#include <stdexcept>

#include "answer.h"
#include "capability.h"
#include "loads.h"
#include "pump.h"
#include "source.h"
#include "transfer.h"

/* ---- answer.h ---- */

const size_t band = PLATEN_BAND;

bool serviceIsGone() { return platen_left() != 0; }

static Trouble invalid(const char *key, const char *what) { return Trouble{"INVAL", std::string("\"") + key + "\" must be " + what}; }

std::string Call::text(const char *key, const char *absent) const {
  const char *value = platen_arg_string(request, key, absent);
  if (!value) throw invalid(key, "a string");
  return value;
}

std::string Call::text(const char *key) const { return text(key, nullptr); }

uint32_t Call::number(const char *key) const {
  double value = platen_arg_number(request, key, -1);
  if (!(value >= 0 && value <= 4294967295.0) || value != (double)(uint32_t)value) throw invalid(key, "a 32-bit unsigned integer");
  return (uint32_t)value;
}

uint32_t Call::number(const char *key, uint32_t absent) const {
  return platen_find(request->args, request->count, key) ? number(key) : absent;
}

Bytes Call::bytes(const char *key) const {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  Bytes bytes;
  uint32_t bits = 0, held = 0;
  for (const char *at = platen_arg_string(request, key, ""); *at && *at != '='; at++) {
    const char *digit = strchr(digits, *at);
    if (!digit) throw invalid(key, "base64");
    bits = bits << 6 | (uint32_t)(digit - digits);
    if ((held += 6) >= 8) bytes.push_back((uint8_t)(bits >> (held -= 8)));
  }
  return bytes;
}

struct Frame::Header { platen_json json; };

Frame::Frame(const platen_request *request, bool more) : header(new Header()) { platen_begin(&header->json, request, more); }

Frame::~Frame() {
  platen_json_free(&header->json);
  delete header;
}

Frame &Frame::with(const char *key, double value) { return platen_json_number(&header->json, key, value), *this; }
Frame &Frame::with(const char *key, bool value) { return platen_json_bool(&header->json, key, value), *this; }
Frame &Frame::with(const char *key, const std::string &value) { return platen_json_string(&header->json, key, value.c_str()), *this; }
bool Frame::send(const void *data, size_t length) { return platen_send(&header->json, data, length) != 0; }

/* ---- verbs ---- */

typedef void (*Verb)(const platen_request *, const Call &);

/* A verb that only sends an operation to TWAIN and answers with the result. */
template <typename Job> static void simple(const platen_request *request, Job job) {
  dsm::Result result = {};
  pump::run([&] { result = job(); });
  Frame(request, false).with("rc", (double)result.rc).with("cc", (double)result.cc).send();
}

static void openDsm(const platen_request *request, const Call &call) {
  twain::Identity self = {};
  auto copy = [&](char(&to)[34], const char *key) { snprintf(to, sizeof to, "%s", call.text(key, "Platen").c_str()); };
  copy(self.manufacturer, "manufacturer");
  copy(self.family, "family");
  copy(self.product, "product");
  copy(self.version.info, "version");
  self.version.major = (uint16_t)call.number("major", 0);
  self.version.minor = (uint16_t)call.number("minor", 0);
  self.version.language = (uint16_t)call.number("language", 13); /* US English */
  self.version.country = (uint16_t)call.number("country", 1);
  self.protocolMajor = 2;
  self.protocolMinor = 4;
  self.groups = twain::CONTROL | twain::IMAGE | twain::APP2;
  std::string skip = call.text("skip", "");
  dsm::Result result = {};
  pump::run([&] {
    loads::Telling telling(request);
    loads::keep(skip);
    result = dsm::open(self);
  });
  Frame frame(request, false);
  frame.with("rc", (double)result.rc).with("cc", (double)result.cc).with("dsm", dsm::file()).with("dsm2", dsm::isVersion2());
  frame.with("bits", (double)sizeof(void *) * 8).send();
}

static void closeDsm(const platen_request *request, const Call &) {
  simple(request, [] {
    loads::letGo();
    return dsm::close();
  });
}

static void sources(const platen_request *request, const Call &) {
  simple(request, [&] {
    if (!dsm::isOpen()) throw Trouble{"STATE", "the data source manager is not open"};
    loads::Telling telling(request);
    dsm::Result result = source::list([&](const twain::Identity &each) {
      Frame frame(request, true);
      frame.with("sourceId", (double)each.id).with("manufacturer", source::text(each.manufacturer)).with("family", source::text(each.family));
      frame.with("product", source::text(each.product)).with("version", source::text(each.version.info));
      frame.with("protocolMajor", (double)each.protocolMajor).with("protocolMinor", (double)each.protocolMinor);
      return frame.with("groups", (double)each.groups).send();
    });
    loads::letGo();
    return result;
  });
}

static void openSource(const platen_request *request, const Call &call) {
  dsm::Result result = {twain::FAILURE, twain::NODS};
  pump::run([&] {
    twain::Identity wanted = {};
    bool found;
    {
      loads::Telling telling(request);
      found = source::find(call.text("product"), call.number("id", 0), wanted);
    }
    Frame(request, true).with("found", found).send();
    loads::letGo();
    if (found) result = source::open(wanted);
  });
  Frame(request, false).with("rc", (double)result.rc).with("cc", (double)result.cc).with("callback", source::hasCallback()).send();
}

static void closeSource(const platen_request *request, const Call &) { simple(request, source::close); }
static void enable(const platen_request *request, const Call &) { simple(request, source::enable); }
static void disable(const platen_request *request, const Call &) { simple(request, source::disable); }

static void wait(const platen_request *request, const Call &call) {
  Frame(request, false).with("event", std::string(source::wait(call.number("ms")))).send();
}

static void interrupt(const platen_request *request, const Call &) {
  source::interrupt();
  platen_ok(request);
}

static const struct { const char *name; Verb run; int urgent; } table[] = {
  {"openDsm", openDsm, 0}, {"closeDsm", closeDsm, 0}, {"sources", sources, 0}, {"openSource", openSource, 0},
  {"closeSource", closeSource, 0}, {"cap", capability, 0}, {"triplet", triplet, 0}, {"enable", enable, 0}, {"disable", disable, 0},
  {"wait", wait, 0}, {"interrupt", interrupt, 1}, {"native", native, 0}, {"strips", strips, 0},
};
static const size_t verbs = sizeof table / sizeof *table;

static void run(const platen_request *request) {
  for (size_t i = 0; i < verbs; i++) {
    if (strcmp(table[i].name, request->verb) != 0) continue;
    try {
      table[i].run(request, Call(request));
    } catch (const Trouble &trouble) {
      platen_error(request, trouble.status, trouble.message.c_str());
    } catch (const std::bad_alloc &) {
      platen_error(request, "NOMEM", "out of memory");
    }
  }
}

/* A crash in a source ends this process without a dialogue, which no one could answer. */
static LONG WINAPI crashed(EXCEPTION_POINTERS *what) {
  HMODULE module = nullptr;
  char path[MAX_PATH] = "an unknown place";
  const DWORD by = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  if (GetModuleHandleExA(by, (LPCSTR)what->ExceptionRecord->ExceptionAddress, &module)) GetModuleFileNameA(module, path, sizeof path);
  /* Not with C streams: the crashed thread may hold their locks, and a 32-bit child of a 64-bit program may confuse them. */
  char line[MAX_PATH + 80];
  int length = snprintf(line, sizeof line, "the data source crashed: exception %08lx in %s\n", (unsigned long)what->ExceptionRecord->ExceptionCode, path);
  DWORD written;
  if (length > 0) WriteFile(GetStdHandle(STD_ERROR_HANDLE), line, std::min((DWORD)length, (DWORD)sizeof line - 1), &written, nullptr);
  TerminateProcess(GetCurrentProcess(), 3);
  return EXCEPTION_EXECUTE_HANDLER;
}

int main() {
  platen_verb known[verbs];
  for (size_t i = 0; i < verbs; i++) known[i] = {table[i].name, run, table[i].urgent};
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
  platen_start("twain", sizeof(void *) == 8 ? "x64" : "x86");
  SetUnhandledExceptionFilter(crashed);
  if (!pump::start()) return fputs("cannot create a window for TWAIN\n", stderr), 1;
  platen_serve(known, verbs, source::leave);
  pump::run(source::unwind);
  platen_vanish(0); /* a source's libraries may block a normal exit */
  return 0;
}
