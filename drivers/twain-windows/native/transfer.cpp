#include "transfer.h"

#include <algorithm>

#include "pump.h"
#include "source.h"

static void end(const platen_request *request, dsm::Result result) {
  Frame(request, false).with("rc", (double)result.rc).with("cc", (double)result.cc).send();
}

void native(const platen_request *request, const Call &call) {
  uint32_t most = call.number("maxBytes");
  pump::run([&] {
    HANDLE image = nullptr;
    dsm::Result result = dsm::call(source::identity(), twain::IMAGE, twain::IMAGENATIVEXFER, twain::GET, &image);
    /* If the transfer failed, the memory still belongs to the source, whatever the handle is. */
    if (result.rc != twain::XFERDONE || !image) return end(request, result);
    size_t total = GlobalSize(image);
    const uint8_t *at = total && total <= most ? (const uint8_t *)dsm::lock(image) : nullptr;
    bool listening = at != nullptr;
    for (size_t sent = 0; listening && sent < total; sent += band) {
      Frame frame(request, true);
      if (sent == 0) frame.with("bytes", (double)total);
      listening = frame.send(at + sent, std::min(band, total - sent));
    }
    if (at) dsm::unlock(image);
    dsm::free(image);
    if (total > most) throw Trouble{"TOOBIG", "the source's image has " + std::to_string(total) + " bytes"};
    if (!at) throw Trouble{"NOMEM", "the source's image is not in readable memory"};
    end(request, result);
  });
}

/* False if the service has ended. A strip longer than a band becomes several frames. */
static bool sendStrip(const platen_request *request, const twain::MemXfer &strip, const Bytes &bytes) {
  size_t total = std::min<size_t>(strip.bytesWritten, bytes.size()), sent = 0;
  do {
    size_t length = std::min(band, total - sent);
    Frame frame(request, true);
    frame.with("compression", (double)strip.compression).with("bytesPerRow", (double)strip.bytesPerRow).with("columns", (double)strip.columns);
    frame.with("rows", (double)strip.rows).with("xOffset", (double)strip.xOffset).with("yOffset", (double)strip.yOffset);
    frame.with("bytesWritten", (double)strip.bytesWritten);
    if (sent + length < total) frame.with("part", true);
    if (!frame.send(bytes.data() + sent, length)) return false;
    sent += length;
  } while (sent < total);
  return true;
}

void strips(const platen_request *request, const Call &call) {
  uint32_t size = call.number("bytes"), most = call.number("maxStrips", 0xffffffff);
  if (size == 0 || size > 64u << 20) throw Trouble{"INVAL", "\"bytes\" must be 1 to 67108864"};
  Bytes bytes(size);
  dsm::Result result = {};
  for (uint32_t count = 0; count < most; count++) {
    twain::MemXfer strip = {0xffff, ~0u, ~0u, ~0u, ~0u, ~0u, 0, {twain::APPOWNS | twain::POINTER, size, bytes.data()}};
    /* One call per strip, so that the source gets its messages in between. */
    pump::run([&] { result = dsm::call(source::identity(), twain::IMAGE, twain::IMAGEMEMXFER, twain::GET, &strip); });
    bool delivered = result.rc == twain::SUCCESS || result.rc == twain::XFERDONE;
    if (delivered && !sendStrip(request, strip, bytes)) return;
    if (result.rc != twain::SUCCESS || serviceIsGone()) break;
  }
  end(request, result);
}
