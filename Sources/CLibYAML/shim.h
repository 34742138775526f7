#if !__has_include(<yaml.h>)
#error "libyaml is missing: install libyaml-dev (Debian, Ubuntu), libyaml-devel (Fedora), yaml-dev (Alpine) or libyaml (Homebrew)"
#endif
#include <yaml.h>
