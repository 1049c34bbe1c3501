/* The thread on which all of TWAIN runs. It has a window, and dispatches messages from its start to its end. */
#pragma once
#include <functional>

#include "twain.h"

namespace pump {

/* Gets each message first; returns true if it handled it. Set on the pump's thread. */
extern std::function<bool(MSG *)> filter;

/* False if the thread or the window cannot be created. */
bool start();
HWND window();
/*
 * Runs it on the pump's thread and waits without a limit, because the driver ends this process at its deadline.
 * Rethrows. One caller at a time.
 */
void run(const std::function<void()> &job);
/*
 * Sends a message at this interval in milliseconds, for sources that report events only with messages; 0: none.
 * On the pump's thread.
 */
void beat(unsigned ms);

}  // namespace pump
