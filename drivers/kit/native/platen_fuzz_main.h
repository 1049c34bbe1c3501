/*
 * A main for platen_fuzz.h where there is no libFuzzer, with four of its flags:
 *   fuzz [-max_total_time=SECONDS | -runs=NUMBER] [-seed=NUMBER] [-artifact_prefix=PATH] FOLDER…   the files of the folders, then mutations of them
 *   fuzz FILE…                                                                                     these files, once
 * A child process runs the inputs. If it ends, or one input takes PLATEN_FUZZ_HANG_S, the input is written to PATHcrash-… or
 * PATHtimeout-…, and the exit status is 1. The same seed and files give the same inputs.
 */
#ifndef PLATEN_FUZZ_MAIN_H
#define PLATEN_FUZZ_MAIN_H

#include <dirent.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#define PLATEN_FUZZ_MOST (72u * 1024) /* bytes of an input: more than a request's line has */
#ifndef PLATEN_FUZZ_HANG_S
#define PLATEN_FUZZ_HANG_S 20
#endif

#ifdef MAP_ANONYMOUS
#define PLATEN_FUZZ_MAP (MAP_SHARED | MAP_ANONYMOUS)
#else
#define PLATEN_FUZZ_MAP (MAP_SHARED | MAP_ANON)
#endif

typedef struct {
  uint8_t *bytes;
  size_t size;
} platen_fuzz_file;

static platen_fuzz_file *platen_fuzz_files;
static size_t platen_fuzz_count;

/* Shared by both processes: the input that runs. */
typedef struct {
  volatile size_t size;
  volatile unsigned long run;
  volatile int is_over;
  uint8_t bytes[PLATEN_FUZZ_MOST];
} platen_fuzz_input;

static platen_fuzz_input *platen_fuzz_now;

/* ---- mutations ---- */

static uint64_t platen_fuzz_state;

/* xorshift64*: the same on every system. */
static uint32_t platen_fuzz_random(uint32_t below) {
  platen_fuzz_state ^= platen_fuzz_state >> 12;
  platen_fuzz_state ^= platen_fuzz_state << 25;
  platen_fuzz_state ^= platen_fuzz_state >> 27;
  return (uint32_t)((platen_fuzz_state * 2685821657736338717ull) >> 32) % below;
}

static const char *const platen_fuzz_words[] = {"\"", "\\", "\\u0000", "\\ud83d", "\\ude00", "{", "}", "[", "]", ",", ":", "\n", "null", "true",
  "-1", "0", "1e999", "-2147483649", "4294967296", "0.1", "\"args\":{", "\"verb\":", "\"id\":", "\"\"", "\xff", "\xf0\x9f\x98\x80"};

/* Replaces `cut` bytes at `at` by `length` others, which are not in the input. Returns the new size. */
static size_t platen_fuzz_splice(uint8_t *input, size_t size, size_t at, size_t cut, const void *from, size_t length) {
  if (size - cut + length > PLATEN_FUZZ_MOST) return size;
  memmove(input + at + length, input + at + cut, size - at - cut);
  if (length) memcpy(input + at, from, length);
  return size - cut + length;
}

/* Inserts copies of the `length` bytes at `at` behind them, as many as there is room for. Returns the new size. */
static size_t platen_fuzz_copy(uint8_t *input, size_t size, size_t at, size_t length, size_t copies) {
  size_t i;
  if (length == 0) return size;
  if (copies > (PLATEN_FUZZ_MOST - size) / length) copies = (PLATEN_FUZZ_MOST - size) / length;
  memmove(input + at + copies * length, input + at, size - at);
  for (i = 0; i < copies * length; i++) input[at + i] = input[at + copies * length + i % length];
  return size + copies * length;
}

/* Gives the first number after `at` another value: a small one, or one beside a power of two. Returns the new size. */
static size_t platen_fuzz_number(uint8_t *input, size_t size, size_t at) {
  char text[24];
  size_t end;
  int length = platen_fuzz_random(2) ? snprintf(text, sizeof text, "%d", (int)platen_fuzz_random(300) - 20)
                                     : snprintf(text, sizeof text, "%lld", (1ll << platen_fuzz_random(53)) + (int)platen_fuzz_random(3) - 1);
  while (at < size && (input[at] < '0' || input[at] > '9')) at++;
  for (end = at; end < size && input[end] >= '0' && input[end] <= '9';) end++;
  return end == at ? size : platen_fuzz_splice(input, size, at, end - at, text, (size_t)length);
}

static size_t platen_fuzz_mutate(uint8_t *input, size_t size, const platen_fuzz_file *other) {
  uint32_t times = 1 + platen_fuzz_random(6);
  while (times--) {
    size_t at = platen_fuzz_random((uint32_t)size + 1), left = size - at, cut = platen_fuzz_random((uint32_t)(left < 16 ? left : 16) + 1);
    const char *word = platen_fuzz_words[platen_fuzz_random(sizeof platen_fuzz_words / sizeof platen_fuzz_words[0])];
    uint8_t byte = (uint8_t)platen_fuzz_random(256);
    size_t from = platen_fuzz_random((uint32_t)other->size + 1), length = other->size - from;
    switch (platen_fuzz_random(9)) {
      case 0: if (left) input[at] ^= (uint8_t)(1u << platen_fuzz_random(8)); break;
      case 1: size = platen_fuzz_splice(input, size, at, cut, &byte, 1); break;
      case 2: size = platen_fuzz_splice(input, size, at, cut, NULL, 0); break;
      case 3: size = platen_fuzz_splice(input, size, at, 0, word, strlen(word)); break;
      case 4: size = platen_fuzz_splice(input, size, at, cut, word, strlen(word)); break;
      case 5: size = platen_fuzz_splice(input, size, at, 0, other->bytes + from, length < 64 ? length : platen_fuzz_random(64)); break;
      case 6: size = platen_fuzz_splice(input, size, size, 0, other->bytes, other->size); break; /* more requests */
      case 7: size = platen_fuzz_number(input, size, at); break;
      default: size = platen_fuzz_copy(input, size, at, cut, platen_fuzz_random(100) ? 1 : platen_fuzz_random(8000)); /* rarely a long line */
    }
  }
  return size;
}

/* ---- files ---- */

static void platen_fuzz_add(const char *path) {
  FILE *file = fopen(path, "rb");
  platen_fuzz_file *added;
  platen_fuzz_files = (platen_fuzz_file *)realloc(platen_fuzz_files, (platen_fuzz_count + 1) * sizeof *platen_fuzz_files);
  added = &platen_fuzz_files[platen_fuzz_count++];
  added->bytes = (uint8_t *)malloc(PLATEN_FUZZ_MOST);
  if (!file || !added->bytes) { perror(path); exit(2); }
  added->size = fread(added->bytes, 1, PLATEN_FUZZ_MOST, file);
  fclose(file);
}

static int platen_fuzz_order(const void *one, const void *other) { return strcmp(*(char *const *)one, *(char *const *)other); }

/* In the order of their names, so that a seed means the same everywhere. */
static void platen_fuzz_add_folder(const char *folder) {
  char *paths[4096];
  size_t count = 0, i;
  struct dirent *each;
  DIR *open_folder = opendir(folder);
  if (!open_folder) { perror(folder); exit(2); }
  while (count < sizeof paths / sizeof paths[0] && (each = readdir(open_folder))) {
    size_t room = strlen(folder) + strlen(each->d_name) + 2;
    if (each->d_name[0] == '.') continue;
    if (!(paths[count] = (char *)malloc(room))) exit(2);
    snprintf(paths[count++], room, "%s/%s", folder, each->d_name);
  }
  closedir(open_folder);
  qsort(paths, count, sizeof paths[0], platen_fuzz_order);
  for (i = 0; i < count; i++) { platen_fuzz_add(paths[i]); free(paths[i]); }
}

/* ---- two processes ---- */

static double platen_fuzz_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What one input prints is kept until the next one begins. */
static void platen_fuzz_inputs(double seconds, unsigned long runs, int said) {
  double until = platen_fuzz_clock() + seconds;
  unsigned long run;
  if (dup2(said, 2) < 0) _exit(2);
  for (run = 0; run < platen_fuzz_count || run < runs || (seconds > 0 && platen_fuzz_clock() < until); run++) {
    const platen_fuzz_file *of = &platen_fuzz_files[run < platen_fuzz_count ? run : platen_fuzz_random((uint32_t)platen_fuzz_count)];
    size_t size = of->size;
    memcpy(platen_fuzz_now->bytes, of->bytes, size);
    if (run >= platen_fuzz_count)
      size = platen_fuzz_mutate(platen_fuzz_now->bytes, size, &platen_fuzz_files[platen_fuzz_random((uint32_t)platen_fuzz_count)]);
    platen_fuzz_now->size = size;
    platen_fuzz_now->run = run + 1;
    if (lseek(2, 0, SEEK_CUR) > 0 && (ftruncate(2, 0) != 0 || lseek(2, 0, SEEK_SET) != 0)) _exit(2);
    {
      uint8_t *exact = (uint8_t *)malloc(size + !size); /* a sanitizer sees reads past it */
      if (!exact) _exit(2);
      memcpy(exact, platen_fuzz_now->bytes, size);
      LLVMFuzzerTestOneInput(exact, size);
      free(exact);
    }
  }
  platen_fuzz_now->is_over = 1;
}

/* Waits for the child; kills it when an input takes too long. Returns the kind of its end, NULL: nothing was found. */
static const char *platen_fuzz_watch(pid_t child) {
  unsigned long run = 0;
  double since = platen_fuzz_clock();
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    platen_sleep_ms(10);
    if (run != platen_fuzz_now->run) { run = platen_fuzz_now->run; since = platen_fuzz_clock(); }
    if (platen_fuzz_clock() - since < PLATEN_FUZZ_HANG_S || platen_fuzz_now->is_over) continue;
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return "timeout";
  }
  if (status == 0 && platen_fuzz_now->is_over) return NULL;
  return platen_fuzz_now->is_over ? "leak" : "crash";
}

static void platen_fuzz_tell(int said) {
  char text[4096];
  long length, at = 0;
  while (at < 200000 && (length = (long)pread(said, text, sizeof text, at)) > 0) {
    platen_write_all(2, text, (size_t)length);
    at += length;
  }
}

int main(int argc, char **argv) {
  double seconds = 0;
  unsigned long seed = 1, runs = 0;
  const char *prefix = "", *kind;
  char path[4096];
  FILE *said = tmpfile(), *found;
  pid_t child;
  int i, has_folder = 0;
  struct stat of;
  for (i = 1; i < argc; i++) {
    if (strncmp(argv[i], "-max_total_time=", 16) == 0) seconds = atof(argv[i] + 16);
    else if (strncmp(argv[i], "-runs=", 6) == 0) runs = strtoul(argv[i] + 6, NULL, 10);
    else if (strncmp(argv[i], "-seed=", 6) == 0) seed = strtoul(argv[i] + 6, NULL, 10);
    else if (strncmp(argv[i], "-artifact_prefix=", 17) == 0) prefix = argv[i] + 17;
    else if (argv[i][0] == '-') continue; /* libFuzzer's */
    else if (stat(argv[i], &of) == 0 && S_ISDIR(of.st_mode)) { platen_fuzz_add_folder(argv[i]); has_folder = 1; }
    else platen_fuzz_add(argv[i]);
  }
  if (platen_fuzz_count == 0) { fputs("fuzz [-max_total_time=SECONDS | -runs=NUMBER] [-seed=NUMBER] [-artifact_prefix=PATH] FOLDER... or FILE...\n", stderr); return 2; }
  platen_fuzz_state = seed * 2654435761u + 88172645463325252ull;
  platen_fuzz_now = (platen_fuzz_input *)mmap(NULL, sizeof *platen_fuzz_now, PROT_READ | PROT_WRITE, PLATEN_FUZZ_MAP, -1, 0);
  if (platen_fuzz_now == (platen_fuzz_input *)MAP_FAILED || !said || (child = fork()) < 0) { perror("fuzz"); return 2; }
  if (child == 0) { platen_fuzz_inputs(has_folder ? seconds : 0, has_folder ? runs : 0, fileno(said)); exit(0); }
  kind = platen_fuzz_watch(child);
  if (!kind) { fprintf(stderr, "Done %lu runs, seed %lu\n", platen_fuzz_now->run, seed); _exit(0); }
  platen_fuzz_tell(fileno(said));
  fprintf(stderr, "%s, seed %lu, run %lu\n", kind, seed, platen_fuzz_now->run);
  if (!has_folder || strcmp(kind, "leak") == 0) _exit(1); /* a leak is seen at the end only: its input is not known */
  snprintf(path, sizeof path, "%s%s-%lu-%lu", prefix, kind, seed, platen_fuzz_now->run);
  found = fopen(path, "wb");
  if (!found || fwrite(platen_fuzz_now->bytes, 1, platen_fuzz_now->size, found) != platen_fuzz_now->size || fclose(found) != 0) { perror(path); return 2; }
  fprintf(stderr, "Test unit written to %s\n", path);
  _exit(1);
}
#endif
