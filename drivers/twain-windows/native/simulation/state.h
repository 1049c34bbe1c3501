/* The file of key=value lines with which a test reads and sets paper, faults and quirks. README.md describes the keys. */
#pragma once
#include <string>

namespace state {

/* Reads the file named by PLATEN_TWAIN_STATE again. */
void read();
int number(const char *key, int absent);
std::string text(const char *key, const char *absent);
/* Writes to the file at once; an empty value removes the line. */
void write(const char *key, const std::string &value);
/* Appends a line to the file named by the key `log`. */
void log(const std::string &line);

}  // namespace state
