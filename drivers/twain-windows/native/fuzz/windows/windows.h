/* The part of Windows that the helper uses, for Linux: fuzz.cpp has the functions. Names and numbers are Windows' own. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WINAPI
#define CALLBACK
#define NTAPI
#define FALSE 0
#define TRUE 1
#define MAX_PATH 260
#define CP_ACP 0
#define CP_UTF8 65001
#define CSTR_EQUAL 2
#define GHND 0x42
#define GENERIC_READ 0x80000000u
#define OPEN_EXISTING 3
#define ERROR_SHARING_VIOLATION 32
#define INVALID_HANDLE_VALUE ((HANDLE)(intptr_t)-1)
#define LOAD_WITH_ALTERED_SEARCH_PATH 8
#define GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS 4
#define GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT 2
#define SEM_FAILCRITICALERRORS 1
#define SEM_NOGPFAULTERRORBOX 2
#define SEM_NOOPENFILEERRORBOX 0x8000
#define STD_ERROR_HANDLE ((DWORD)-12)
#define EXCEPTION_EXECUTE_HANDLER 1

typedef void *HANDLE;
typedef HANDLE HWND, HMODULE;
typedef char *LPSTR;
typedef const char *LPCSTR;
typedef int BOOL;
typedef int32_t LONG;
typedef uint32_t DWORD, UINT, ULONG;
typedef uint16_t USHORT;
typedef void (*FARPROC)(void);
struct MSG { UINT message; };
struct EXCEPTION_RECORD { DWORD ExceptionCode; void *ExceptionAddress; };
struct EXCEPTION_POINTERS { EXCEPTION_RECORD *ExceptionRecord; };
typedef LONG (*LPTOP_LEVEL_EXCEPTION_FILTER)(EXCEPTION_POINTERS *);

HANDLE GlobalAlloc(UINT flags, size_t size);
HANDLE GlobalFree(HANDLE memory);
void *GlobalLock(HANDLE memory);
BOOL GlobalUnlock(HANDLE memory);
size_t GlobalSize(HANDLE memory);

int MultiByteToWideChar(UINT page, DWORD flags, LPCSTR from, int length, wchar_t *to, int room);
int WideCharToMultiByte(UINT page, DWORD flags, const wchar_t *from, int length, char *to, int room, LPCSTR absent, BOOL *used);
int CompareStringOrdinal(const wchar_t *one, int length, const wchar_t *other, int otherLength, BOOL ignoresCase);

HMODULE LoadLibraryExA(LPCSTR path, HANDLE, DWORD flags);
BOOL FreeLibrary(HMODULE library);
FARPROC GetProcAddress(HMODULE library, LPCSTR name);
HMODULE GetModuleHandleA(LPCSTR name);
BOOL GetModuleHandleExA(DWORD flags, LPCSTR address, HMODULE *module);
DWORD GetModuleFileNameA(HMODULE module, LPSTR path, DWORD room);
UINT GetSystemDirectoryA(LPSTR path, UINT room);
UINT GetWindowsDirectoryA(LPSTR path, UINT room);
DWORD GetLastError();
DWORD GetCurrentThreadId();
HANDLE CreateFileW(const wchar_t *path, DWORD access, DWORD share, void *, DWORD how, DWORD flags, HANDLE);
BOOL CloseHandle(HANDLE handle);
void Sleep(DWORD ms);

/* Of the helper's main and of its report of a crash, which do not run here. */
UINT SetErrorMode(UINT mode);
LPTOP_LEVEL_EXCEPTION_FILTER SetUnhandledExceptionFilter(LPTOP_LEVEL_EXCEPTION_FILTER filter);
HANDLE GetCurrentProcess();
BOOL TerminateProcess(HANDLE process, UINT code);
HANDLE GetStdHandle(DWORD which);
BOOL WriteFile(HANDLE file, const void *from, DWORD length, DWORD *written, void *);
