/* What an installation puts beside its files, and its removal takes out. */
#pragma once

#include "layout.h"

/* Makes and secures folders, copies the configuration where there is none, and makes the certificate. @param people SIDs */
void prepare(const Layout &layout, const std::vector<Text> &people);
/* Removes the certificate from the stores, the logs, and the configuration where nobody changed it. @param all the data too */
void undo(const Layout &layout, bool all);
