#include "state.h"

#include <fstream>
#include <map>
#include <stdlib.h>
#include <windows.h>

namespace state {

static std::map<std::string, std::string> values;

static std::string path() {
  const char *named = getenv("PLATEN_TWAIN_STATE");
  return named ? named : "";
}

void read() {
  std::ifstream file(path().c_str());
  std::string line;
  values.clear();
  while (std::getline(file, line)) {
    size_t at = line.find('=');
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (at != std::string::npos) values[line.substr(0, at)] = line.substr(at + 1);
  }
}

std::string text(const char *key, const char *absent) {
  auto found = values.find(key);
  return found == values.end() ? absent : found->second;
}

int number(const char *key, int absent) {
  auto found = values.find(key);
  return found == values.end() ? absent : atoi(found->second.c_str());
}

void write(const char *key, const std::string &value) {
  std::string whole = path(), fresh = whole + ".new";
  if (value.empty()) values.erase(key);
  else values[key] = value;
  if (whole.empty()) return;
  {
    std::ofstream file(fresh.c_str(), std::ios::binary);
    for (const auto &each : values) file << each.first << '=' << each.second << '\n';
  }
  MoveFileExA(fresh.c_str(), whole.c_str(), MOVEFILE_REPLACE_EXISTING);
}

void log(const std::string &line) {
  std::string file = text("log", "");
  if (!file.empty()) std::ofstream(file.c_str(), std::ios::app | std::ios::binary) << line << '\n';
}

}  // namespace state
