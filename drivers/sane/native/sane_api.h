/*
 * The types and values of SANE's application interface, after chapter 4 of the SANE standard, version 1.0. They are an ABI
 * that every libsane.so.1 keeps, so that neither a build nor an installation needs SANE's own header.
 */
#ifndef PLATEN_SANE_API_H
#define PLATEN_SANE_API_H

typedef unsigned char SANE_Byte;
typedef int SANE_Word; /* at least 32 bits; libsane's is an int */
typedef SANE_Word SANE_Bool, SANE_Int, SANE_Fixed;
typedef char SANE_Char;
typedef SANE_Char *SANE_String;
typedef const SANE_Char *SANE_String_Const;
typedef void *SANE_Handle;

#define SANE_FALSE 0
#define SANE_TRUE 1

/* 4.2.1: numbers with 16 bits before the point and 16 after it. */
#define SANE_FIXED_SCALE_SHIFT 16
#define SANE_FIX(value) ((SANE_Word)((value) * (1 << SANE_FIXED_SCALE_SHIFT)))
#define SANE_UNFIX(word) ((double)(word) / (1 << SANE_FIXED_SCALE_SHIFT))

/* 4.3: a version is major (8 bits), minor (8), build (16). */
#define SANE_VERSION_CODE(major, minor, build) ((((SANE_Word)(major)&0xff) << 24) | (((SANE_Word)(minor)&0xff) << 16) | ((SANE_Word)(build)&0xffff))
#define SANE_VERSION_MAJOR(code) (((SANE_Word)(code) >> 24) & 0xff)
#define SANE_VERSION_MINOR(code) (((SANE_Word)(code) >> 16) & 0xff)
#define SANE_VERSION_BUILD(code) ((SANE_Word)(code)&0xffff)

/* 4.2.7 */
typedef enum {
  SANE_STATUS_GOOD,
  SANE_STATUS_UNSUPPORTED,
  SANE_STATUS_CANCELLED,
  SANE_STATUS_DEVICE_BUSY,
  SANE_STATUS_INVAL,
  SANE_STATUS_EOF,
  SANE_STATUS_JAMMED,
  SANE_STATUS_NO_DOCS,
  SANE_STATUS_COVER_OPEN,
  SANE_STATUS_IO_ERROR,
  SANE_STATUS_NO_MEM,
  SANE_STATUS_ACCESS_DENIED
} SANE_Status;

/* 4.2.8 */
typedef struct {
  SANE_String_Const name, vendor, model, type;
} SANE_Device;

/* 4.2.9: options */
typedef enum { SANE_TYPE_BOOL, SANE_TYPE_INT, SANE_TYPE_FIXED, SANE_TYPE_STRING, SANE_TYPE_BUTTON, SANE_TYPE_GROUP } SANE_Value_Type;

typedef enum {
  SANE_UNIT_NONE,
  SANE_UNIT_PIXEL,
  SANE_UNIT_BIT,
  SANE_UNIT_MM,
  SANE_UNIT_DPI,
  SANE_UNIT_PERCENT,
  SANE_UNIT_MICROSECOND
} SANE_Unit;

enum {
  SANE_CAP_SOFT_SELECT = 1 << 0,
  SANE_CAP_HARD_SELECT = 1 << 1,
  SANE_CAP_SOFT_DETECT = 1 << 2,
  SANE_CAP_EMULATED = 1 << 3,
  SANE_CAP_AUTOMATIC = 1 << 4,
  SANE_CAP_INACTIVE = 1 << 5,
  SANE_CAP_ADVANCED = 1 << 6
};
#define SANE_OPTION_IS_ACTIVE(cap) (((cap)&SANE_CAP_INACTIVE) == 0)
#define SANE_OPTION_IS_SETTABLE(cap) (((cap)&SANE_CAP_SOFT_SELECT) != 0)

typedef enum { SANE_CONSTRAINT_NONE, SANE_CONSTRAINT_RANGE, SANE_CONSTRAINT_WORD_LIST, SANE_CONSTRAINT_STRING_LIST } SANE_Constraint_Type;

typedef struct {
  SANE_Word min, max, quant;
} SANE_Range;

typedef struct {
  SANE_String_Const name, title, desc;
  SANE_Value_Type type;
  SANE_Unit unit;
  SANE_Int size; /* bytes of the value */
  SANE_Int cap;
  SANE_Constraint_Type constraint_type;
  union {
    const SANE_String_Const *string_list; /* ends with NULL */
    const SANE_Word *word_list;           /* begins with its length */
    const SANE_Range *range;
  } constraint;
} SANE_Option_Descriptor;

/* 4.3.7: sane_control_option */
typedef enum { SANE_ACTION_GET_VALUE, SANE_ACTION_SET_VALUE, SANE_ACTION_SET_AUTO } SANE_Action;
enum { SANE_INFO_INEXACT = 1 << 0, SANE_INFO_RELOAD_OPTIONS = 1 << 1, SANE_INFO_RELOAD_PARAMS = 1 << 2 };

/* 4.3.8: sane_get_parameters */
typedef enum { SANE_FRAME_GRAY, SANE_FRAME_RGB, SANE_FRAME_RED, SANE_FRAME_GREEN, SANE_FRAME_BLUE } SANE_Frame;

typedef struct {
  SANE_Frame format;
  SANE_Bool last_frame;
  SANE_Int bytes_per_line, pixels_per_line, lines, depth;
} SANE_Parameters;

typedef void (*SANE_Auth_Callback)(SANE_String_Const resource, SANE_Char *username, SANE_Char *password);

#endif
