/*
 * The part of TWAIN 2.x that Platen uses, written from the public specification (twain.org): types, structures and numbers for
 * both sides of DSM_Entry. Structures are packed to two bytes; strings are ANSI with a zero at the end.
 */
#pragma once
#include <stdint.h>
#include <windows.h>

namespace twain {

#pragma pack(push, 2)
struct Version { uint16_t major, minor, language, country; char info[34]; };
struct Identity {
  uint32_t id;
  Version version;
  uint16_t protocolMajor, protocolMinor;
  uint32_t groups;
  char manufacturer[34], family[34], product[34];
};
struct Status { uint16_t condition, data; };
struct UserInterface { uint16_t show, modal; HANDLE parent; };
struct Event { void *message; uint16_t answer; };
struct Capability { uint16_t cap, conType; HANDLE container; };
struct PendingXfers { uint16_t count; uint32_t endOfJob; };
struct SetupMemXfer { uint32_t minimum, maximum, preferred; };
struct Memory { uint32_t flags, length; void *at; };
struct MemXfer { uint16_t compression; uint32_t bytesPerRow, columns, rows, xOffset, yOffset, bytesWritten; Memory memory; };
struct Fix32 { int16_t whole; uint16_t fraction; };
struct Frame { Fix32 left, top, right, bottom; };
struct ImageInfo {
  Fix32 xResolution, yResolution;
  int32_t width, length;
  int16_t samples, bitsPerSample[8], bitsPerPixel;
  uint16_t planar;
  int16_t pixelType;
  uint16_t compression;
};
struct ImageLayout { Frame frame; uint32_t document, page, frameNumber; };
struct Element8 { uint8_t index, channel[3]; };
struct Palette8 { uint16_t count, type; Element8 colors[256]; };
struct OneValue { uint16_t type; uint32_t item; };
struct Array { uint16_t type; uint32_t count; };
struct Enumeration { uint16_t type; uint32_t count, current, preset; };
struct Range { uint16_t type; uint32_t minimum, maximum, step, preset, current; };

typedef uint16_t(CALLBACK *Entry)(Identity *origin, Identity *destination, uint32_t group, uint16_t argument, uint16_t message, void *data);
struct Callback { void *proc; uint32_t reference; int16_t message; };
struct Callback2 { void *proc; uintptr_t reference; int16_t message; };
struct EntryPoint {
  uint32_t size;
  Entry entry;
  HANDLE(CALLBACK *allocate)(uint32_t size);
  void(CALLBACK *free)(HANDLE memory);
  void *(CALLBACK *lock)(HANDLE memory);
  void(CALLBACK *unlock)(HANDLE memory);
};
#pragma pack(pop)

enum Group : uint32_t { CONTROL = 1, IMAGE = 2, DSM2 = 0x10000000, APP2 = 0x20000000, DS2 = 0x40000000 };

enum Argument : uint16_t {
  NOTHING = 0, CAPABILITY = 1, EVENT = 2, IDENTITY = 3, PARENT = 4, PENDINGXFERS = 5, SETUPMEMXFER = 6, STATUS = 8, USERINTERFACE = 9,
  XFERGROUP = 0xa, DEVICEEVENT = 0xd, CALLBACK1 = 0x10, CALLBACK2 = 0x12, IMAGEINFO = 0x101, IMAGELAYOUT = 0x102, IMAGEMEMXFER = 0x103,
  IMAGENATIVEXFER = 0x104, PALETTE8 = 0x10a, ENTRYPOINT = 0x403,
};

enum Message : uint16_t {
  GET = 1, GETCURRENT = 2, GETDEFAULT = 3, GETFIRST = 4, GETNEXT = 5, SET = 6, RESET = 7, QUERYSUPPORT = 8, GETHELP = 9, GETLABEL = 0xa, XFERREADY = 0x101,
  CLOSEDSREQ = 0x102, CLOSEDSOK = 0x103, DEVICEHAPPENED = 0x104, OPENDSM = 0x301, CLOSEDSM = 0x302, OPENDS = 0x401, CLOSEDS = 0x402,
  DISABLEDS = 0x501, ENABLEDS = 0x502, PROCESSEVENT = 0x601, ENDXFER = 0x701, STOPFEEDER = 0x702, REGISTER_CALLBACK = 0x902,
};

enum Return : uint16_t { SUCCESS = 0, FAILURE = 1, CHECKSTATUS = 2, CANCEL = 3, DSEVENT = 4, NOTDSEVENT = 5, XFERDONE = 6, ENDOFLIST = 7 };

enum Condition : uint16_t {
  FINE = 0, LOWMEMORY = 2, NODS = 3, OPERATIONERROR = 5, BADPROTOCOL = 9, BADVALUE = 10, SEQERROR = 11, CAPUNSUPPORTED = 13,
  CAPBADOPERATION = 14, PAPERJAM = 20, PAPERDOUBLEFEED = 21, CHECKDEVICEONLINE = 23, INTERLOCK = 24, NOMEDIA = 29,
};

enum Container : uint16_t { ARRAY = 3, ENUMERATION = 4, ONEVALUE = 5, RANGE = 6, DONTCARE = 0xffff };

/* Bytes of a value in a container, by its TWTY_ number; 0 for an unknown type. */
inline uint32_t sizeOf(uint16_t type) {
  static const uint16_t sizes[] = {1, 2, 4, 1, 2, 4, 2, 4, 16, 34, 66, 130, 256, 1026, 1024, sizeof(HANDLE)};
  return type < sizeof sizes / sizeof *sizes ? sizes[type] : 0;
}

enum MemoryFlag : uint32_t { APPOWNS = 1, POINTER = 8 };

}  // namespace twain
