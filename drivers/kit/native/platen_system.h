/* A helper's operating system layer: complete reads and writes, one lock, threads, and a way to exit without any of them. */
#ifndef PLATEN_SYSTEM_H
#define PLATEN_SYSTEM_H

#if !defined(_WIN32) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* also under -std=c99: include this header first */
#endif

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#include <io.h>
#include <process.h>

typedef CRITICAL_SECTION platen_mutex;
typedef CONDITION_VARIABLE platen_condition;
static inline void platen_mutex_init(platen_mutex *m) { InitializeCriticalSection(m); }
static inline void platen_lock(platen_mutex *m) { EnterCriticalSection(m); }
static inline void platen_unlock(platen_mutex *m) { LeaveCriticalSection(m); }
static inline void platen_condition_init(platen_condition *c) { InitializeConditionVariable(c); }
static inline void platen_wait(platen_condition *c, platen_mutex *m) { SleepConditionVariableCS(c, m, INFINITE); }
static inline void platen_wake(platen_condition *c) { WakeConditionVariable(c); }
static inline void platen_sleep_ms(unsigned ms) { Sleep(ms); }

/* The C runtime counts both in int. */
static inline long platen_os_read(int fd, void *to, size_t length) { return _read(fd, to, (unsigned)length); }
static inline long platen_os_write(int fd, const void *from, size_t length) { return _write(fd, from, (unsigned)length); }
#else
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

typedef pthread_mutex_t platen_mutex;
typedef pthread_cond_t platen_condition;
static inline void platen_mutex_init(platen_mutex *m) { pthread_mutex_init(m, NULL); }
static inline void platen_lock(platen_mutex *m) { pthread_mutex_lock(m); }
static inline void platen_unlock(platen_mutex *m) { pthread_mutex_unlock(m); }
static inline void platen_condition_init(platen_condition *c) { pthread_cond_init(c, NULL); }
static inline void platen_wait(platen_condition *c, platen_mutex *m) { pthread_cond_wait(c, m); }
static inline void platen_wake(platen_condition *c) { pthread_cond_signal(c); }
static inline void platen_sleep_ms(unsigned ms) {
  struct timespec rest;
  rest.tv_sec = ms / 1000;
  rest.tv_nsec = (long)(ms % 1000) * 1000000L;
  while (nanosleep(&rest, &rest) != 0 && errno == EINTR) { }
}
static inline long platen_os_read(int fd, void *to, size_t length) { return (long)read(fd, to, length); }
static inline long platen_os_write(int fd, const void *from, size_t length) { return (long)write(fd, from, length); }
#endif

/* Starts a detached thread. Returns 0 if it cannot be started. */
typedef void (*platen_body)(void);
#ifdef _WIN32
static unsigned __stdcall platen_thread_main(void *body) {
  platen_body run;
  memcpy(&run, &body, sizeof run);
  run();
  return 0;
}
static inline int platen_thread(platen_body body) {
  void *argument;
  uintptr_t thread;
  memcpy(&argument, &body, sizeof argument);
  thread = _beginthreadex(NULL, 0, platen_thread_main, argument, 0, NULL);
  if (!thread) return 0;
  CloseHandle((HANDLE)thread);
  return 1;
}
#else
static void *platen_thread_main(void *body) {
  platen_body run;
  memcpy(&run, &body, sizeof run);
  run();
  return NULL;
}
static inline int platen_thread(platen_body body) {
  pthread_t thread;
  void *argument;
  memcpy(&argument, &body, sizeof argument);
  if (pthread_create(&thread, NULL, platen_thread_main, argument) != 0) return 0;
  pthread_detach(thread);
  return 1;
}
#endif

/* Writes all bytes. Returns 0 if the other end is closed. */
static inline int platen_write_all(int fd, const void *from, size_t length) {
  const char *at = (const char *)from;
  while (length > 0) {
    /* Windows' write takes an int, and its pipes fail on very long ones. */
    long done = platen_os_write(fd, at, length > (1u << 20) ? (1u << 20) : length);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return 0;
    at += done;
    length -= (size_t)done;
  }
  return 1;
}

#ifndef _WIN32
/* Backends end the readers that they fork with SIGTERM. */
static inline void platen_forked(void) {
  signal(SIGTERM, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGCONT, SIG_DFL); /* its parent has changed, but not its service */
}

/* A helper that exits on its own also leaves no process behind, even if its service has ended. */
static inline void platen_end_readers(void) {
  signal(SIGTERM, SIG_IGN); /* again, because libraries such as SANE's test backend reset it */
  if (getpgrp() == getpid()) kill(0, SIGTERM);
}
#endif

static int platen_in = 0;
static int platen_out = 1;

/* Lets the writer run ahead of its reader by more than 64 KiB. Depending on stdout's type and the system this may fail, which is ignored. */
#define PLATEN_PIPE_BYTES (1 << 20)

/*
 * Reserves stdin and stdout for the protocol: output of a vendor's library goes to stderr, which is the log, and its input
 * is empty. Only the end of stdin ends the helper: signals to the service's process group do not interrupt a scan.
 */
static inline void platen_take_streams(void) {
#ifdef _WIN32
  int empty = _open("NUL", _O_RDONLY);
  platen_in = _dup(0);
  platen_out = _dup(1);
  _setmode(platen_in, _O_BINARY);
  _setmode(platen_out, _O_BINARY);
  if (empty >= 0) _dup2(empty, 0);
  _dup2(2, 1);
  setvbuf(stdout, NULL, _IONBF, 0); /* Windows does not support line buffering */
#else
  int empty[2], pipe_bytes = PLATEN_PIPE_BYTES;
  signal(SIGPIPE, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  pthread_atfork(NULL, NULL, platen_forked);
  setsid(); /* its own process group, so that forked readers are killed with it */
  atexit(platen_end_readers);
  platen_in = fcntl(0, F_DUPFD_CLOEXEC, 3);
  platen_out = fcntl(1, F_DUPFD_CLOEXEC, 3);
  setsockopt(platen_out, SOL_SOCKET, SO_SNDBUF, &pipe_bytes, sizeof pipe_bytes); /* Node's pipes are socket pairs */
#ifdef F_SETPIPE_SZ
  fcntl(platen_out, F_SETPIPE_SZ, pipe_bytes);
#endif
  if (pipe(empty) == 0) {
    dup2(empty[0], 0);
    close(empty[0]);
    close(empty[1]);
  }
  dup2(2, 1);
  setvbuf(stdout, NULL, _IOLBF, 0); /* what is printed before a crash is in the log */
#endif
}

/*
 * ---- the last resort ----
 *
 * A vendor's library may leave any lock held: a SANE backend's thread that is cancelled inside pthread_create keeps the dynamic
 * linker's lock, after which no thread can start; inside malloc, an arena's. So the thread that ends a helper exists from the start and makes
 * only system calls: it sleeps until the fuse is lit, or until it sees that the service has ended.
 */
#ifdef _WIN32
static HANDLE platen_fuse;
static inline int platen_lay_fuse(void) { return (platen_fuse = CreateEvent(NULL, TRUE, FALSE, NULL)) != NULL; }
static inline void platen_light_fuse(void) { SetEvent(platen_fuse); }
static inline void platen_await_fuse(void) { WaitForSingleObject(platen_fuse, INFINITE); }
static inline void platen_last_words(const char *text) { _write(2, text, (unsigned)strlen(text)); }
#else
static int platen_fuse[2];
static pid_t platen_service;

/* Safe in a signal handler. If the pipe is full, the fuse is lit already. */
static inline void platen_light_fuse(void) {
  int before = errno;
  if (platen_os_write(platen_fuse[1], "", 1) < 0) errno = before;
}

#ifdef __linux__
static void platen_continued(int signal_number) {
  (void)signal_number;
  if (getppid() != platen_service) platen_light_fuse();
}
#endif

static inline int platen_lay_fuse(void) {
  platen_service = getppid();
  if (pipe(platen_fuse) != 0) return 0;
  fcntl(platen_fuse[0], F_SETFD, FD_CLOEXEC);
  fcntl(platen_fuse[1], F_SETFD, FD_CLOEXEC);
  fcntl(platen_fuse[1], F_SETFL, O_NONBLOCK);
#ifdef __linux__
  /* Not SIGKILL: a working helper cleans up first. SIGCONT also wakes a stopped one. If the service ends before this line, stdin is closed. */
  signal(SIGCONT, platen_continued);
  prctl(PR_SET_PDEATHSIG, SIGCONT);
#endif
  return 1;
}

static inline void platen_await_fuse(void) {
  struct pollfd ends[2];
  ends[0].fd = platen_fuse[0];
  ends[0].events = POLLIN;
  ends[1].fd = platen_in;
#ifdef POLLRDHUP
  ends[1].events = POLLRDHUP;
#else
  ends[1].events = 0;
#endif
  while (poll(ends, 2, -1) < 0 && errno == EINTR) { }
}

/* Only if nothing waits: the service may have stopped reading. */
static inline void platen_last_words(const char *text) {
  struct pollfd log;
  log.fd = 2;
  log.events = POLLOUT;
  if (poll(&log, 1, 0) == 1 && (log.revents & POLLOUT) && platen_os_write(2, text, strlen(text)) < 0) return;
}
#endif

/* Ends at once, with all processes that the vendor's library forked. */
static inline void platen_vanish(int status) {
#ifdef _WIN32
  TerminateProcess(GetCurrentProcess(), (UINT)status); /* a normal exit calls into every library, and one may hang */
#else
  if (getpgrp() == getpid()) kill(0, SIGKILL);
#endif
  _exit(status);
}

#endif
