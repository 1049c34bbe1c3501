/* The file of key=value lines through which a test sees and sets paper, faults and quirks. README.md has the keys. */
#pragma once
#include <string>

namespace state {

/* Reads the file that PLATEN_TWAIN_STATE names again. */
void read();
int number(const char *key, int absent);
std::string text(const char *key, const char *absent);
/* Writes to the file at once; an empty value removes the line. */
void write(const char *key, const std::string &value);
/* A line at the end of the file that the key `log` names. */
void log(const std::string &line);

}  // namespace state
