/*
 * Backends' readers are cancelled only where they wait.
 *
 * sanei_thread makes a backend's reader cancellable at any moment, and backends cancel it at the end of each page. Once in
 * some dozen pages it then holds a lock of the dynamic linker (glibc: _dl_allocate_tls_init), and no thread
 * can start in the process any longer: the next sane_start waits forever. This function overrides the C library's, because
 * a program's own symbols take precedence. A reader waits in write, read or poll, where it holds no such lock.
 */
#include <pthread.h>

int pthread_setcanceltype(int type, int *before) {
  (void)type;
  if (before) *before = PTHREAD_CANCEL_DEFERRED;
  return 0;
}
