/*
 * Lets Node start programs with vfork() in place of fork(), for the test run only.
 *
 * A fork copies the page tables of whoever starts a program: from a test process of 100 MB that takes 2 ms on a usual machine and 13 in some virtual
 * ones, and the tests start some hundred thousand programs. A vfork copies nothing: the parent waits until the child has become the program.
 *
 * The child of a vfork shares its parent's memory until then. What libuv does in it bears that (system calls, then execvp) but for two things, which are
 * set back here in the parent: it sets `environ`, and it uses the stack of its caller, which its compiler took for a copy. Other programs, a shell above
 * all, do more in their children, so they fork as ever: only in a process whose program is called `node` is the call another one. Linux on x86-64.
 */
#include <string.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))

extern char **environ;

/* The stack of libuv's functions, which is far less; the stack of a thread that runs JavaScript is far more. */
enum { frames = 4096 };
static __thread char stack[frames];
static __thread char **variables;

HIDDEN int wt_is_node;

__attribute__((constructor)) static void look(void) {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  wt_is_node = length >= 5 && memcmp(path + length - 5, "/node", 5) == 0;
}

HIDDEN void wt_keep(const char *from) {
  memcpy(stack, from, frames);
  variables = environ;
}

HIDDEN void wt_set_back(char *to) {
  memcpy(to, stack, frames);
  environ = variables;
}

/*
 * In assembly, because the child returns from here before its parent does: the address to return to is in a register (rdi) while the child uses the
 * stack, as in the C library's own vfork. The kernel keeps the parent's registers.
 */
__asm__(".text\n"
        ".globl fork\n"
        ".type fork, @function\n"
        "fork:\n"
        "  cmpl $0, wt_is_node(%rip)\n"
        "  je 3f\n"
        "  mov %rsp, %rdi\n"
        "  sub $8, %rsp\n"
        "  call wt_keep\n"
        "  add $8, %rsp\n"
        "  pop %rdi\n"
        "  mov $58, %eax\n" /* vfork */
        "  syscall\n"
        "  push %rdi\n"
        "  test %eax, %eax\n"
        "  jz 1f\n"
        "  push %rax\n"
        "  lea 8(%rsp), %rdi\n"
        "  call wt_set_back\n"
        "  pop %rax\n"
        "  cmp $-4095, %rax\n"
        "  jae 2f\n"
        "1: ret\n"
        "2: neg %eax\n"
        "  push %rax\n"
        "  call __errno_location@PLT\n"
        "  pop %rdx\n"
        "  mov %edx, (%rax)\n"
        "  mov $-1, %eax\n"
        "  ret\n"
        "3: jmp __fork@PLT\n"
        ".size fork, . - fork\n"
        ".section .note.GNU-stack,\"\",@progbits\n"
        ".text\n");
