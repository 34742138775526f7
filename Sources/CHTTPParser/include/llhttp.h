#include "/usr/share/include/llhttp/llhttp.h"
