/* Loaded before the C library: a disk and a clock with troubles, switched by files in the folder $OUTAGES.
 *
 *   nolocks   the file system knows no locks, as some network shares
 *   readonly  every file is read-only, as after an error of the disk
 *   clock     seconds that the clock of the day is off
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define NEXT(NAME) ((typeof(&NAME))dlsym(RTLD_NEXT, #NAME))

static int is_on(const char *switch_name) {
  char path[4096];
  const char *folder = getenv("OUTAGES");
  if (!folder) return 0;
  snprintf(path, sizeof path, "%s/%s", folder, switch_name);
  return access(path, F_OK) == 0;
}

/* Locks */

static int is_lock(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_GETLK || command == F_OFD_SETLK ||
         command == F_OFD_SETLKW || command == F_OFD_GETLK;
}

#define FCNTL(NAME)                                                               \
  int NAME(int file, int command, ...) {                                          \
    va_list rest;                                                                 \
    va_start(rest, command);                                                      \
    void *argument = va_arg(rest, void *);                                        \
    va_end(rest);                                                                 \
    if (is_lock(command) && is_on("nolocks")) { errno = ENOLCK; return -1; }      \
    return ((int (*)(int, int, ...))dlsym(RTLD_NEXT, #NAME))(file, command, argument); \
  }

FCNTL(fcntl)
FCNTL(fcntl64)

int flock(int file, int operation) {
  if (is_on("nolocks")) { errno = ENOLCK; return -1; }
  return ((int (*)(int, int))dlsym(RTLD_NEXT, "flock"))(file, operation);
}

/* A read-only disk */

static int is_refused(int file) {
  struct stat about;
  return fstat(file, &about) == 0 && S_ISREG(about.st_mode) && is_on("readonly");
}

#define OPEN(NAME)                                                                                     \
  int NAME(const char *path, int flags, ...) {                                                         \
    va_list rest;                                                                                      \
    va_start(rest, flags);                                                                             \
    mode_t mode = va_arg(rest, mode_t);                                                                \
    va_end(rest);                                                                                      \
    struct stat about;                                                                                 \
    int is_file = stat(path, &about) != 0 || S_ISREG(about.st_mode);                                   \
    if ((flags & (O_WRONLY | O_RDWR | O_CREAT)) && is_file && is_on("readonly")) { errno = EROFS; return -1; } \
    return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #NAME))(path, flags, mode);              \
  }

OPEN(open)
OPEN(open64)

ssize_t write(int file, const void *data, size_t count) {
  if (is_refused(file)) { errno = EROFS; return -1; }
  return NEXT(write)(file, data, count);
}

ssize_t pwrite(int file, const void *data, size_t count, off_t at) {
  if (is_refused(file)) { errno = EROFS; return -1; }
  return NEXT(pwrite)(file, data, count, at);
}

ssize_t pwrite64(int file, const void *data, size_t count, off64_t at) {
  if (is_refused(file)) { errno = EROFS; return -1; }
  return NEXT(pwrite64)(file, data, count, at);
}

int ftruncate(int file, off_t size) {
  if (is_refused(file)) { errno = EROFS; return -1; }
  return NEXT(ftruncate)(file, size);
}

int ftruncate64(int file, off64_t size) {
  if (is_refused(file)) { errno = EROFS; return -1; }
  return NEXT(ftruncate64)(file, size);
}

int rename(const char *from, const char *to) {
  if (is_on("readonly")) { errno = EROFS; return -1; }
  return NEXT(rename)(from, to);
}

int unlink(const char *path) {
  if (is_on("readonly")) { errno = EROFS; return -1; }
  return NEXT(unlink)(path);
}

int mkdir(const char *path, mode_t mode) {
  if (is_on("readonly")) { errno = EROFS; return -1; }
  return NEXT(mkdir)(path, mode);
}

/* A clock that is off */

static time_t off_s(void) {
  static time_t off, looked_ms = -1000;
  struct timespec now;
  NEXT(clock_gettime)(CLOCK_MONOTONIC, &now);
  time_t now_ms = now.tv_sec * 1000 + now.tv_nsec / 1000000;
  if (now_ms - looked_ms < 100) return off;
  looked_ms = now_ms;
  char path[4096];
  const char *folder = getenv("OUTAGES");
  if (!folder) return off;
  snprintf(path, sizeof path, "%s/clock", folder);
  FILE *file = fopen(path, "r");
  long read = 0;
  if (file) {
    if (fscanf(file, "%ld", &read) != 1) read = off;
    fclose(file);
  }
  off = read;
  return off;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int status = NEXT(clock_gettime)(clock, now);
  if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += off_s();
  return status;
}

time_t time(time_t *into) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (into) *into = now.tv_sec;
  return now.tv_sec;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec fine;
  clock_gettime(CLOCK_REALTIME, &fine);
  now->tv_sec = fine.tv_sec;
  now->tv_usec = fine.tv_nsec / 1000;
  return 0;
}
