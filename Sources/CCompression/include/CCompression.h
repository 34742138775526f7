#ifndef CCOMPRESSION_H
#define CCOMPRESSION_H

/* The libraries of content codings, each loaded when it is first used. */
#include <brotli/decode.h>
#include <brotli/encode.h>
#include <zlib.h>
#include <zstd.h>

#endif
