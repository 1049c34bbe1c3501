/* The data source manager: its file, its entry point, and the memory shared with sources. Runs on the pump's thread. */
#pragma once
#include <string>

#include "twain.h"

namespace dsm {

struct Result { uint16_t rc, cc; };

/* Opens it with the pump's window. Throws Trouble NODSM if none can be loaded. */
Result open(const twain::Identity &application);
Result close();
bool isOpen();
/* The file that was loaded. */
const std::string &file();
/* Whether it has the entry point of TWAIN 2: callbacks, and its own memory functions. */
bool isVersion2();

/* Sends a triplet; if it fails, requests the condition code at once. `source` is null for the manager itself. */
Result call(twain::Identity *source, uint32_t group, uint16_t argument, uint16_t message, void *data);
/* The same without requesting a condition code. */
uint16_t send(twain::Identity *source, uint32_t group, uint16_t argument, uint16_t message, void *data);

HANDLE allocate(uint32_t size);
void free(HANDLE memory);
void *lock(HANDLE memory);
void unlock(HANDLE memory);

}  // namespace dsm
