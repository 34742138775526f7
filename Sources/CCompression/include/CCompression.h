#ifndef CCOMPRESSION_H
#define CCOMPRESSION_H

/* The libraries of content codings, each loaded when it is first used. */
#if !__has_include(<brotli/decode.h>)
#error "Brotli is missing: install libbrotli-dev (Debian, Ubuntu), brotli-devel (Fedora), brotli-dev (Alpine) or brotli (Homebrew)"
#endif
#if !__has_include(<zlib.h>)
#error "zlib is missing: install zlib1g-dev (Debian, Ubuntu), zlib-devel (Fedora), zlib-dev (Alpine) or zlib (Homebrew)"
#endif
#if !__has_include(<zstd.h>)
#error "Zstandard is missing: install libzstd-dev (Debian, Ubuntu), libzstd-devel (Fedora), zstd-dev (Alpine) or zstd (Homebrew)"
#endif
#include <brotli/decode.h>
#include <brotli/encode.h>
#include <zlib.h>
#include <zstd.h>

/* A library that cannot be loaded, with the reason and Debian's package of it. Without a reason it
   can be. */
struct ccompression_lack {
  const char *reason;
  const char *package;
};

struct ccompression_lack ccompression_lack_of_zlib(void);
struct ccompression_lack ccompression_lack_of_brotli(void);
struct ccompression_lack ccompression_lack_of_zstd(void);

#endif
