/*
 * Readers of backends are cancelled where they wait, and nowhere else.
 *
 * sanei_thread makes a backend's reader cancellable at any moment, and backends cancel it at the end of each page: once in
 * some dozen pages it takes a lock of the dynamic linker with it (glibc: _dl_allocate_tls_init), and from then on no thread
 * can be started in the process: the next sane_start waits for ever. This function stands before the C library's, because
 * a program's own symbols come first. A reader waits in write, read or poll, and holds no such lock there.
 */
#include <pthread.h>

int pthread_setcanceltype(int type, int *before) {
  (void)type;
  if (before) *before = PTHREAD_CANCEL_DEFERRED;
  return 0;
}
