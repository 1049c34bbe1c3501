/* Where an installation's files lie. */
#pragma once

#include "text.h"

struct Layout {
  Text here;     /* the folder of this program */
  Text program;  /* the folder whose node_modules holds @platen/server */
  Text server;   /* the package @platen/server */
  Text node;     /* node.exe */
  Text root;     /* %ProgramData%\Platen: configuration, with `data` and `logs` in it */
  Text data() const { return root + L"\\data"; }
  Text logs() const { return root + L"\\logs"; }
  Text plugins() const { return program + L"\\plugins"; }
  Text script() const { return server + L"\\bin\\platen.cjs"; }
  Text desktop() const { return here + L"\\platen-desktop.exe"; }
  Text service() const { return here + L"\\platen-service.exe"; }
};

/* @param node a node.exe; empty: the installation's, else PATH's @throws Failure if a file is missing */
Layout findLayout(const Text &node = L"");
/* For a removal: the same of a damaged installation, whose files may be missing. */
Layout findPlaces(const Text &node = L"");

bool isFile(const Text &path);

/* %LOCALAPPDATA%\Platen of this account, created. */
Text ownFolder();

/* The variables by which Platen finds its files, for programs that this one starts. @param config a file */
void setVariables(const Layout &layout, const Text &config);
