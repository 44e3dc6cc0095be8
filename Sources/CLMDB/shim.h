#include <lmdb.h>
// statfs(), which the Glibc module of Swift leaves out.
#include <sys/vfs.h>
