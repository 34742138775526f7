// Debian has the sources; elsewhere it is a library, which the manifest finds by pkg-config.
#if __has_include("/usr/share/include/llhttp/llhttp.h")
#include "/usr/share/include/llhttp/llhttp.h"
#elif __has_include_next(<llhttp.h>)
#include_next <llhttp.h>
#else
#error "llhttp is missing: install llhttp-dev (Debian 12), libllhttp-dev (later Debian, Ubuntu), llhttp-devel (Fedora), llhttp-dev (Alpine) or llhttp (Homebrew)"
#endif
