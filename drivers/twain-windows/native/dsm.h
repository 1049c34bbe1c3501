/* The data source manager: which one, its entry point, and the memory that both sides share. On the pump's thread. */
#pragma once
#include <string>

#include "twain.h"

namespace dsm {

struct Result { uint16_t rc, cc; };

/* Opens it with the pump's window. Throws Trouble NODSM where none can be loaded. */
Result open(const twain::Identity &application);
Result close();
bool isOpen();
/* The file that was loaded. */
const std::string &file();
/* It has the entry point of TWAIN 2: callbacks, and memory of its own. */
bool isVersion2();

/* A triplet; where it fails, the condition code is asked for at once. `source` is null for the manager itself. */
Result call(twain::Identity *source, uint32_t group, uint16_t argument, uint16_t message, void *data);
/* The same without asking for a condition code. */
uint16_t send(twain::Identity *source, uint32_t group, uint16_t argument, uint16_t message, void *data);

HANDLE allocate(uint32_t size);
void free(HANDLE memory);
void *lock(HANDLE memory);
void unlock(HANDLE memory);

}  // namespace dsm
