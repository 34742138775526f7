#if !__has_include(<pcre2.h>)
#error "PCRE2 is missing: install libpcre2-dev (Debian, Ubuntu), pcre2-devel (Fedora), pcre2-dev (Alpine) or pcre2 (Homebrew)"
#endif
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
