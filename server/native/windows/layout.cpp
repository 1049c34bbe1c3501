#include "layout.h"

#include <shlobj.h>

bool isFile(const Text &path) {
  DWORD attributes = GetFileAttributesW(path.c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && !(attributes & FILE_ATTRIBUTE_DIRECTORY);
}

static Text parent(const Text &path) {
  size_t slash = path.find_last_of(L'\\');
  return slash == Text::npos ? L"" : path.substr(0, slash);
}

static Text self() {
  wchar_t path[32768];
  DWORD length = GetModuleFileNameW(nullptr, path, 32768);
  must(length > 0, L"This program's own folder was not found");
  return parent(Text(path, length));
}

static Text special(int which) {
  wchar_t path[MAX_PATH];
  must(SUCCEEDED(SHGetFolderPathW(nullptr, which, nullptr, SHGFP_TYPE_CURRENT, path)), L"Windows does not name the folder of programs' data");
  return path;
}

static Text onPath(const wchar_t *name) {
  wchar_t path[32768];
  DWORD length = SearchPathW(nullptr, name, nullptr, 32768, path, nullptr);
  return Text(path, length < 32768 ? length : 0);
}

Layout findPlaces(const Text &node) {
  Layout layout;
  layout.here = self();
  for (Text at = layout.here; layout.program.empty() && !at.empty(); at = parent(at))
    if (isFile(at + L"\\node_modules\\@platen\\server\\bin\\platen.cjs")) layout.program = at;
  /* Where that file is missing, the folder whose node_modules holds this program. */
  if (layout.program.empty()) layout.program = layout.here.substr(0, layout.here.rfind(L"\\node_modules\\"));
  layout.server = layout.program + L"\\node_modules\\@platen\\server";
  const Text own = layout.program + L"\\node.exe";
  layout.node = !node.empty() ? node : isFile(own) ? own : onPath(L"node.exe");
  layout.root = special(CSIDL_COMMON_APPDATA) + L"\\Platen";
  return layout;
}

Layout findLayout(const Text &node) {
  const Layout layout = findPlaces(node);
  if (!isFile(layout.script())) throw Failure{L"The package @platen/server was not found above " + layout.here + L". Install Platen again", 0};
  if (!isFile(layout.node)) throw Failure{L"node.exe was not found" + (node.empty() ? L" beside " + layout.program : L": " + node), 0};
  return layout;
}

Text ownFolder() {
  Text folder = special(CSIDL_LOCAL_APPDATA) + L"\\Platen";
  CreateDirectoryW(folder.c_str(), nullptr);
  return folder;
}

void setVariables(const Layout &layout, const Text &config) {
  SetEnvironmentVariableW(L"PLATEN_CONFIG", config.c_str());
  SetEnvironmentVariableW(L"PLATEN_DATA_DIR", layout.data().c_str());
  SetEnvironmentVariableW(L"PLATEN_PLUGINS_DIR", layout.plugins().c_str());
  SetEnvironmentVariableW(L"PLATEN_STOP_WITH_STDIN", L"1");
  SetEnvironmentVariableW(L"NODE_OPTIONS", nullptr); /* a developer's settings are not the service's */
}
