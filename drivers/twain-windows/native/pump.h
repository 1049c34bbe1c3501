/* The thread that TWAIN lives on: it has a window, and dispatches the messages of both from its first moment to its last. */
#pragma once
#include <functional>

#include "twain.h"

namespace pump {

/* What sees each message first; true for one that it took. Set on the pump's own thread. */
extern std::function<bool(MSG *)> filter;

/* False where Windows gives no thread or window. */
bool start();
HWND window();
/* Runs it on the pump's thread and waits: as long as it takes, for who asked has a deadline, and ends this process. What it throws is thrown here. One caller at a time. */
void run(const std::function<void()> &job);
/* A message comes by every so many milliseconds, for sources that are asked but do not tell; 0: none. On the pump's thread. */
void beat(unsigned ms);

}  // namespace pump
