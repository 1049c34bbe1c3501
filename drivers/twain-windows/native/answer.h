/* The verbs' view of a request and its answer: only main.cpp uses the frames of platen_helper.h. */
#pragma once
#include <stdint.h>
#include <string>
#include <vector>

struct platen_request;

typedef std::vector<uint8_t> Bytes;

/* A failure of the helper itself, not of TWAIN: "STATE", "INVAL", "NODSM", "NOMEM", "TOOBIG". */
struct Trouble { const char *status; std::string message; };

class Call {
 public:
  explicit Call(const platen_request *asked) : request(asked) {}
  /* Throw Trouble INVAL for an argument of the wrong type. */
  std::string text(const char *key) const;
  std::string text(const char *key, const char *absent) const;
  uint32_t number(const char *key) const;
  uint32_t number(const char *key, uint32_t absent) const;
  Bytes bytes(const char *key) const; /* base64; empty if absent */

 private:
  const platen_request *request;
};

/* Builds a header. */
class Frame {
 public:
  /* With `more`, another frame of the same answer follows. */
  Frame(const platen_request *request, bool more);
  ~Frame();
  Frame &with(const char *key, double value);
  Frame &with(const char *key, bool value);
  Frame &with(const char *key, const std::string &value);
  /* False if the service has ended. */
  bool send(const void *data = nullptr, size_t length = 0);

 private:
  Frame(const Frame &);
  void operator=(const Frame &);
  struct Header;
  Header *header;
};

/* The most data in a frame, in bytes: a band. */
extern const size_t band;

bool serviceIsGone();
