/* The `.ds` files that a manager loads to ask for their names, and those to skip. Only on the pump's thread. */
#pragma once
#include <string>

struct platen_request;

namespace loads {

/* While it exists, each loaded file is reported by a frame of the request, before any of its code runs. */
class Telling {
 public:
  explicit Telling(const platen_request *request);
  ~Telling();

 private:
  Telling(const Telling &);
  void operator=(const Telling &);
};

/*
 * No process can load these files until they are released. `paths` are separated by `|`; a file that another process
 * has open is not held.
 */
void keep(const std::string &paths);
void letGo();

}  // namespace loads
