/* The file of key=value lines by which a test sees and moves what is outside of the source: paper, faults, habits. README.md has the keys. */
#pragma once
#include <string>

namespace state {

/* Reads the file that PLATEN_TWAIN_STATE names anew. */
void read();
int number(const char *key, int absent);
std::string text(const char *key, const char *absent);
/* Into the file, at once; an empty value takes the line away. */
void write(const char *key, const std::string &value);
/* A line at the end of the file that the key `log` names. */
void log(const std::string &line);

}  // namespace state
