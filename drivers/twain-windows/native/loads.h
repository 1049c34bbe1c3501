/* The `.ds` files that a manager loads to ask them for their names, and those that it is kept from. On the pump's thread only. */
#pragma once
#include <string>

struct platen_request;

namespace loads {

/* As long as it lives, each file goes out as a frame of the request, before any of its code runs. */
class Telling {
 public:
  explicit Telling(const platen_request *request);
  ~Telling();

 private:
  Telling(const Telling &);
  void operator=(const Telling &);
};

/* No process can load these files until they are let go of. `paths` are separated by `|`; one that another process has open is not kept. */
void keep(const std::string &paths);
void letGo();

}  // namespace loads
