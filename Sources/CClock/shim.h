/* adjtimex(2): whether the wall clock is synchronized. Glibc's module leaves this header out. */
#include <sys/timex.h>
