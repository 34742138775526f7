#if !__has_include(<wslay/wslay.h>)
#error "wslay is missing: install libwslay-dev (Debian, Ubuntu), wslay-devel (Fedora), wslay-dev (Alpine) or wslay (Homebrew)"
#endif
#include <wslay/wslay.h>
