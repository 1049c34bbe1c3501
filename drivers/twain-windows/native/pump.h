/* The thread that all of TWAIN runs on. It has a window, and dispatches messages from its start to its end. */
#pragma once
#include <functional>

#include "twain.h"

namespace pump {

/* Gets each message first; returns true for one that it took. Set on the pump's own thread. */
extern std::function<bool(MSG *)> filter;

/* False where Windows gives no thread or window. */
bool start();
HWND window();
/*
 * Runs it on the pump's thread and waits without a limit, because the driver ends this process at its deadline.
 * Rethrows. One caller at a time.
 */
void run(const std::function<void()> &job);
/*
 * Makes a message come every so many milliseconds, for sources that report events only with messages; 0: none.
 * On the pump's thread.
 */
void beat(unsigned ms);

}  // namespace pump
