#if __has_include("/usr/share/llhttp/api.c")
// Strict: what is not HTTP is refused, not guessed at.
#define LLHTTP_STRICT_MODE 1
#include "/usr/share/llhttp/api.c"
#endif
