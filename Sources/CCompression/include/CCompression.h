#ifndef CCOMPRESSION_H
#define CCOMPRESSION_H

/* The libraries of content codings, each loaded when it is first used. */
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
