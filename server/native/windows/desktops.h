/* The desktop applications of all sessions, for an installer that runs as the system. */
#pragma once

#include "layout.h"

/* Ends those of this installation, also in other sessions: their files are about to be replaced. */
/* @param forGood tells them to remove their logs, which only their account may do safely */
void stopDesktops(const Layout &layout, bool forGood);
/* Starts one in each session where a person is logged on, so that nobody has to log on again. @returns how many */
int startDesktops(const Layout &layout);
/* The names of the events that end the desktop application of this process, and that say before that it is for good. */
Text stopEventOf(DWORD process);
Text removalEventOf(DWORD process);
/* The registry's entry that starts it at each logon. */
void setRunKey(const Layout &layout);
void removeRunKey();
