/*
 * What befalls backends that cancel their readers, as sanei_thread does: at any moment, so that a reader may take locks of the C library
 * and of the dynamic linker with it. After a few hundred cancellations one is gone for good, and no thread of the process can start another.
 */
#ifndef PLATEN_SIMULATION_LOCK_H
#define PLATEN_SIMULATION_LOCK_H

#include <pthread.h>
#include <unistd.h>

static void *nothing(void *none) { return none; }

static void *reader(void *none) {
  pthread_t thread;
  (void)none;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  for (;;) if (pthread_create(&thread, NULL, nothing, NULL) == 0) pthread_detach(thread);
  return NULL;
}

/* Does not return: this thread waits for the lock in the end, in pthread_create. */
static void lose_a_lock(void) {
  for (unsigned i = 0;; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, reader, NULL) != 0) continue;
    usleep(100 + i % 97);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
  }
}

#endif
