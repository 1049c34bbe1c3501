/*
 * Simulates backends that cancel their readers at any moment, as sanei_thread does, so that a reader may keep locks of the C library
 * and of the dynamic linker. After a few hundred cancellations one is lost for good, and no thread of the process can start another.
 */
#ifndef PLATEN_SIMULATION_LOCK_H
#define PLATEN_SIMULATION_LOCK_H

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

static void *nothing(void *none) { return none; }

typedef int set_cancel_type(int, int *);

static void *reader(void *set_type) {
  pthread_t thread;
  (*(set_cancel_type **)set_type)(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  for (;;) {
    if (pthread_create(&thread, NULL, nothing, NULL) == 0) pthread_detach(thread);
    pthread_testcancel();
  }
  return NULL;
}

static void cancel_readers(set_cancel_type *set_type, unsigned times) {
  for (unsigned i = 0; i < times; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, reader, &set_type) != 0) continue;
    usleep(100 + i % 97);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
  }
}

/* Does not return: in the end this thread waits for the lock in pthread_create. Uses the C library's own function, which the helper overrides. */
static void lose_a_lock(void) {
  void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  cancel_readers((set_cancel_type *)dlsym(library, "pthread_setcanceltype"), 1u << 31);
}

/* Cancels as a backend does, for a day's number of pages. */
static void cancel_many(void) { cancel_readers(pthread_setcanceltype, 3000); }

#endif
