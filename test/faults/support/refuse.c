/*
 * A file system that refuses. Loaded into every process of a command by LD_PRELOAD, it counts the calls that change something below
 * a folder, over all these processes together, and lets one of them fail, or all from one on, as a full, read-only or busy disk would.
 *
 * Environment: REFUSE_BELOW is the folder. REFUSE_CONTROL is a file that holds a struct control, shared by all processes: the test writes
 * into it what is to be refused, and reads from it what was. REFUSE_TRACE may name a file that gets a line per call.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { OPEN, WRITE, RENAME, UNLINK, RMDIR, MKDIR, LINK, TRUNCATE, SYNC, KINDS };
enum mode { ONCE, FULL_FROM, READ_ONLY_FROM };

/* What file systems say to each kind of call. A choice takes one of them; where there are fewer they come again. */
static const int errors[KINDS][5] = {
    [OPEN] = {ENOSPC, EACCES, EROFS, EBUSY, ENOSPC},  [WRITE] = {ENOSPC, EACCES, EROFS, ENOSPC, EACCES},
    [RENAME] = {EACCES, EXDEV, EBUSY, ENOSPC, EROFS}, [UNLINK] = {EACCES, EBUSY, EROFS, EACCES, EBUSY},
    [RMDIR] = {EBUSY, EACCES, EROFS, EBUSY, EACCES},  [MKDIR] = {ENOSPC, EACCES, EROFS, ENOSPC, EACCES},
    [LINK] = {EXDEV, EACCES, ENOSPC, EROFS, EXDEV},   [TRUNCATE] = {ENOSPC, EACCES, EROFS, ENOSPC, EACCES},
    [SYNC] = {ENOSPC, EROFS, EACCES, ENOSPC, EROFS},
};

struct control {
  int32_t at;      /* the call that is refused, counted from 1; 0 refuses none */
  int32_t mode;    /* enum mode: only that one, or what a full or a read-only disk refuses, from that one on */
  int32_t choice;  /* which of the errors, 0 to 4 */
  int32_t count;   /* calls so far */
  int32_t refused; /* of them refused */
  int32_t error;   /* what the first that was refused got */
  char call[4096]; /* and its name and path */
};

static struct control *control;
static const char *below;
static int trace = -1;

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("REFUSE_CONTROL"), *log = getenv("REFUSE_TRACE");
  below = getenv("REFUSE_BELOW");
  if (!file || !below) return;
  int fd = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *shared = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (log) trace = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (shared != MAP_FAILED) control = shared;
}

/* Where an open descriptor leads to; an empty text where that is nowhere in the file system. */
static void path_of(int fd, char out[PATH_MAX]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, out, PATH_MAX - 1);
  out[length > 0 ? length : 0] = 0;
}

/* The absolute path of what a call names, without `.` and `..`; symbolic links stay. */
static void absolute(int folder, const char *path, char out[PATH_MAX]) {
  char whole[2 * PATH_MAX], base[PATH_MAX] = "";
  if (path[0] != '/' && folder != AT_FDCWD) path_of(folder, base);
  else if (path[0] != '/' && !getcwd(base, sizeof base)) base[0] = 0;
  snprintf(whole, sizeof whole, "%s/%s", base, path);
  size_t end = 0;
  char *rest, *part = strtok_r(whole, "/", &rest);
  for (; part; part = strtok_r(NULL, "/", &rest)) {
    if (strcmp(part, ".") == 0) continue;
    if (strcmp(part, "..") == 0) {
      while (end > 0 && out[--end] != '/') continue;
      continue;
    }
    size_t length = strlen(part);
    if (end + length + 2 > PATH_MAX) break;
    out[end++] = '/';
    memcpy(out + end, part, length);
    end += length;
  }
  out[end] = 0;
}

static int is_below(const char *path) {
  size_t length = strlen(below);
  return strncmp(path, below, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/* Whether there is something of that name, a broken link too. */
static int is_there(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0;
}

static int has_folder(const char *path) {
  char folder[PATH_MAX];
  snprintf(folder, sizeof folder, "%s", path);
  char *last = strrchr(folder, '/');
  if (last) *last = 0;
  return is_there(folder);
}

/* What changes nothing gets its own answer from every disk: there is nothing to delete, no folder to write in, or the folder is there already. */
static int changes_nothing(enum kind kind, const char *path) {
  if (kind == UNLINK || kind == RMDIR || kind == RENAME) return !is_there(path);
  if (kind == MKDIR && !strstr(path, "XXXXXX") && is_there(path)) return 1;
  return (kind == MKDIR || kind == OPEN) && !has_folder(path);
}

/* Counts a call; gives whether it is refused, errno set. `to` is the second path of a rename or link. */
static int refused(enum kind kind, const char *name, const char *path, const char *to) {
  if (!is_below(path) && !(to && is_below(to))) return 0;
  if (changes_nothing(kind, path)) return 0;
  int number = __atomic_add_fetch(&control->count, 1, __ATOMIC_SEQ_CST);
  if (trace >= 0) dprintf(trace, "%d %d %s %s%s%s\n", number, getpid(), name, path, to ? " -> " : "", to ? to : "");
  if (control->at == 0 || number < control->at) return 0;
  if (control->mode == ONCE && number > control->at) return 0;
  /* A full disk lets things be deleted, and renamed where they are. */
  if (control->mode == FULL_FROM && (kind == UNLINK || kind == RMDIR || kind == RENAME)) return 0;
  int error = control->mode == ONCE ? errors[kind][control->choice % 5] : control->mode == FULL_FROM ? ENOSPC : EROFS;
  if (__atomic_add_fetch(&control->refused, 1, __ATOMIC_SEQ_CST) == 1) {
    control->error = error;
    snprintf(control->call, sizeof control->call, "%s %s%s%s", name, path, to ? " -> " : "", to ? to : "");
  }
  errno = error;
  return 1;
}

static int refused_at(enum kind kind, const char *name, int folder, const char *path) {
  char whole[PATH_MAX];
  int before = errno;
  if (!control || !path) return 0;
  absolute(folder, path, whole);
  if (refused(kind, name, whole, NULL)) return 1;
  errno = before;
  return 0;
}

static int refused_both(enum kind kind, const char *name, int folder, const char *path, int other, const char *to) {
  char whole[PATH_MAX], target[PATH_MAX];
  int before = errno;
  if (!control || !path || !to) return 0;
  absolute(folder, path, whole);
  absolute(other, to, target);
  if (refused(kind, name, whole, target)) return 1;
  errno = before;
  return 0;
}

static int refused_fd(enum kind kind, const char *name, int fd) {
  char whole[PATH_MAX];
  int before = errno;
  if (!control) return 0;
  path_of(fd, whole);
  if (refused(kind, name, whole, NULL)) return 1;
  errno = before;
  return 0;
}

/* A function of ours in front of the real one: its type, name, parameters and arguments, and when it is refused. */
#define FRONT(type, name, parameters, arguments, refusal, failure) \
  type name parameters { \
    static type(*real) parameters; \
    if (!real) real = (type(*) parameters)dlsym(RTLD_NEXT, #name); \
    return (refusal) ? (failure) : real arguments; \
  }

/* Opening for reading changes nothing. */
#define CHANGES(flags) (((flags) & (O_CREAT | O_TRUNC)) || ((flags) & O_ACCMODE) != O_RDONLY)
#define OPENING(name, first, folder, ...) \
  int name(first const char *path, int flags, ...) { \
    static int (*real)(first const char *, int, ...); \
    mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { \
      va_list rest; \
      va_start(rest, flags); \
      mode = va_arg(rest, mode_t); \
      va_end(rest); \
    } \
    if (!real) real = (int (*)(first const char *, int, ...))dlsym(RTLD_NEXT, #name); \
    return CHANGES(flags) && refused_at(OPEN, #name, folder, path) ? -1 : real(__VA_ARGS__, flags, mode); \
  }
#define NO_FOLDER
#define FOLDER int at,
OPENING(open, NO_FOLDER, AT_FDCWD, path)
OPENING(open64, NO_FOLDER, AT_FDCWD, path)
OPENING(openat, FOLDER, at, at, path)
OPENING(openat64, FOLDER, at, at, path)
/* `open` without a mode, in programs that were compiled with checks of their arguments. */
FRONT(int, __open_2, (const char *path, int flags), (path, flags), CHANGES(flags) && refused_at(OPEN, "open", AT_FDCWD, path), -1)
FRONT(int, __open64_2, (const char *path, int flags), (path, flags), CHANGES(flags) && refused_at(OPEN, "open64", AT_FDCWD, path), -1)
FRONT(int, creat, (const char *path, mode_t mode), (path, mode), refused_at(OPEN, "creat", AT_FDCWD, path), -1)
FRONT(int, creat64, (const char *path, mode_t mode), (path, mode), refused_at(OPEN, "creat64", AT_FDCWD, path), -1)

/* What a stream or a name out of a pattern opens inside the C library passes no other function of ours. */
#define WRITES(how) (strpbrk(how, "wa+") != NULL)
FRONT(FILE *, fopen, (const char *path, const char *how), (path, how), WRITES(how) && refused_at(OPEN, "fopen", AT_FDCWD, path), NULL)
FRONT(FILE *, fopen64, (const char *path, const char *how), (path, how), WRITES(how) && refused_at(OPEN, "fopen64", AT_FDCWD, path), NULL)
FRONT(int, mkstemp, (char *path), (path), refused_at(OPEN, "mkstemp", AT_FDCWD, path), -1)
FRONT(int, mkstemp64, (char *path), (path), refused_at(OPEN, "mkstemp64", AT_FDCWD, path), -1)
FRONT(int, mkostemp, (char *path, int flags), (path, flags), refused_at(OPEN, "mkostemp", AT_FDCWD, path), -1)
FRONT(int, mkostemp64, (char *path, int flags), (path, flags), refused_at(OPEN, "mkostemp64", AT_FDCWD, path), -1)

FRONT(ssize_t, write, (int fd, const void *from, size_t size), (fd, from, size), refused_fd(WRITE, "write", fd), -1)
FRONT(ssize_t, pwrite, (int fd, const void *from, size_t size, off_t at), (fd, from, size, at), refused_fd(WRITE, "pwrite", fd), -1)
FRONT(ssize_t, pwrite64, (int fd, const void *from, size_t size, off64_t at), (fd, from, size, at), refused_fd(WRITE, "pwrite64", fd), -1)
FRONT(ssize_t, writev, (int fd, const struct iovec *from, int parts), (fd, from, parts), refused_fd(WRITE, "writev", fd), -1)
FRONT(ssize_t, pwritev, (int fd, const struct iovec *from, int parts, off_t at), (fd, from, parts, at), refused_fd(WRITE, "pwritev", fd), -1)
FRONT(ssize_t, pwritev64, (int fd, const struct iovec *from, int parts, off64_t at), (fd, from, parts, at), refused_fd(WRITE, "pwritev64", fd), -1)
FRONT(ssize_t, sendfile, (int to, int from, off_t *at, size_t size), (to, from, at, size), refused_fd(WRITE, "sendfile", to), -1)
FRONT(ssize_t, sendfile64, (int to, int from, off64_t *at, size_t size), (to, from, at, size), refused_fd(WRITE, "sendfile64", to), -1)
FRONT(ssize_t, copy_file_range, (int from, off64_t *at, int to, off64_t *there, size_t size, unsigned flags), (from, at, to, there, size, flags), refused_fd(WRITE, "copy_file_range", to), -1)

/* Node copies files with a system call that older C libraries have no function for. */
long syscall(long number, ...) {
  static long (*real)(long, ...);
  long arguments[6];
  va_list rest;
  va_start(rest, number);
  for (int index = 0; index < 6; index++) arguments[index] = va_arg(rest, long);
  va_end(rest);
  if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  if (number == SYS_copy_file_range && refused_fd(WRITE, "copy_file_range", (int)arguments[2])) return -1;
  return real(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

FRONT(int, rename, (const char *path, const char *to), (path, to), refused_both(RENAME, "rename", AT_FDCWD, path, AT_FDCWD, to), -1)
FRONT(int, renameat, (int at, const char *path, int there, const char *to), (at, path, there, to), refused_both(RENAME, "renameat", at, path, there, to), -1)
FRONT(int, renameat2, (int at, const char *path, int there, const char *to, unsigned flags), (at, path, there, to, flags), refused_both(RENAME, "renameat2", at, path, there, to), -1)
FRONT(int, link, (const char *path, const char *to), (path, to), refused_both(LINK, "link", AT_FDCWD, path, AT_FDCWD, to), -1)
FRONT(int, linkat, (int at, const char *path, int there, const char *to, int flags), (at, path, there, to, flags), refused_both(LINK, "linkat", at, path, there, to), -1)
FRONT(int, symlink, (const char *text, const char *path), (text, path), refused_at(LINK, "symlink", AT_FDCWD, path), -1)
FRONT(int, symlinkat, (const char *text, int at, const char *path), (text, at, path), refused_at(LINK, "symlinkat", at, path), -1)

FRONT(int, unlink, (const char *path), (path), refused_at(UNLINK, "unlink", AT_FDCWD, path), -1)
FRONT(int, unlinkat, (int at, const char *path, int flags), (at, path, flags), refused_at(flags & AT_REMOVEDIR ? RMDIR : UNLINK, "unlinkat", at, path), -1)
FRONT(int, remove, (const char *path), (path), refused_at(UNLINK, "remove", AT_FDCWD, path), -1)
FRONT(int, rmdir, (const char *path), (path), refused_at(RMDIR, "rmdir", AT_FDCWD, path), -1)
FRONT(int, mkdir, (const char *path, mode_t mode), (path, mode), refused_at(MKDIR, "mkdir", AT_FDCWD, path), -1)
FRONT(int, mkdirat, (int at, const char *path, mode_t mode), (at, path, mode), refused_at(MKDIR, "mkdirat", at, path), -1)
FRONT(char *, mkdtemp, (char *path), (path), refused_at(MKDIR, "mkdtemp", AT_FDCWD, path), NULL)

FRONT(int, truncate, (const char *path, off_t size), (path, size), refused_at(TRUNCATE, "truncate", AT_FDCWD, path), -1)
FRONT(int, truncate64, (const char *path, off64_t size), (path, size), refused_at(TRUNCATE, "truncate64", AT_FDCWD, path), -1)
FRONT(int, ftruncate, (int fd, off_t size), (fd, size), refused_fd(TRUNCATE, "ftruncate", fd), -1)
FRONT(int, ftruncate64, (int fd, off64_t size), (fd, size), refused_fd(TRUNCATE, "ftruncate64", fd), -1)
FRONT(int, fsync, (int fd), (fd), refused_fd(SYNC, "fsync", fd), -1)
FRONT(int, fdatasync, (int fd), (fd), refused_fd(SYNC, "fdatasync", fd), -1)
