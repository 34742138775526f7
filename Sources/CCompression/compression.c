/* Zstandard's header would have its functions visible. */
#define ZSTDLIB_VISIBLE
#include "CCompression.h"

#include "CLoading.h"

/* Each with Debian's package. */
#define ZLIB "libz.so.1", "zlib1g"
#define ZSTD "libzstd.so.1", "libzstd1"
#define DECODER "libbrotlidec.so.1", "libbrotli1"
#define ENCODER "libbrotlienc.so.1", "libbrotli1"
#define F(...) CLOADING_FUNCTION(__VA_ARGS__)

static struct ccompression_lack lack(const char *library, const char *package) {
  return (struct ccompression_lack){cloading_problem(library), package};
}

struct ccompression_lack ccompression_lack_of_zlib(void) { return lack(ZLIB); }

struct ccompression_lack ccompression_lack_of_brotli(void) {
  struct ccompression_lack decoder = lack(DECODER);
  return decoder.reason ? decoder : lack(ENCODER);
}

struct ccompression_lack ccompression_lack_of_zstd(void) { return lack(ZSTD); }

F(ZLIB, int, inflateInit2_, (z_streamp stream, int bits, const char *version, int size),
  (stream, bits, version, size))
F(ZLIB, int, inflate, (z_streamp stream, int flush), (stream, flush))
F(ZLIB, int, inflateCopy, (z_streamp copy, z_streamp stream), (copy, stream))
F(ZLIB, int, inflateReset, (z_streamp stream), (stream))
F(ZLIB, int, inflateEnd, (z_streamp stream), (stream))
F(ZLIB, int, deflateInit2_,
  (z_streamp stream, int level, int method, int bits, int memory, int strategy,
   const char *version, int size),
  (stream, level, method, bits, memory, strategy, version, size))
F(ZLIB, int, deflate, (z_streamp stream, int flush), (stream, flush))
F(ZLIB, int, deflateCopy, (z_streamp copy, z_streamp stream), (copy, stream))
F(ZLIB, int, deflateEnd, (z_streamp stream), (stream))

F(ZSTD, ZSTD_DCtx *, ZSTD_createDCtx, (void), ())
F(ZSTD, size_t, ZSTD_freeDCtx, (ZSTD_DCtx * context), (context))
F(ZSTD, size_t, ZSTD_DCtx_setParameter,
  (ZSTD_DCtx * context, ZSTD_dParameter parameter, int value), (context, parameter, value))
F(ZSTD, size_t, ZSTD_decompressStream,
  (ZSTD_DStream * stream, ZSTD_outBuffer *output, ZSTD_inBuffer *input), (stream, output, input))
F(ZSTD, ZSTD_CCtx *, ZSTD_createCCtx, (void), ())
F(ZSTD, size_t, ZSTD_freeCCtx, (ZSTD_CCtx * context), (context))
F(ZSTD, size_t, ZSTD_compressStream2,
  (ZSTD_CCtx * context, ZSTD_outBuffer *output, ZSTD_inBuffer *input, ZSTD_EndDirective end),
  (context, output, input, end))
F(ZSTD, unsigned, ZSTD_isError, (size_t code), (code))

F(DECODER, BrotliDecoderState *, BrotliDecoderCreateInstance,
  (brotli_alloc_func take, brotli_free_func release, void *context), (take, release, context))
F(DECODER, void, BrotliDecoderDestroyInstance, (BrotliDecoderState * state), (state))
F(DECODER, BrotliDecoderResult, BrotliDecoderDecompressStream,
  (BrotliDecoderState * state, size_t *inputLeft, const uint8_t **input, size_t *outputLeft,
   uint8_t **output, size_t *total),
  (state, inputLeft, input, outputLeft, output, total))
F(DECODER, BROTLI_BOOL, BrotliDecoderHasMoreOutput, (const BrotliDecoderState *state), (state))

F(ENCODER, BrotliEncoderState *, BrotliEncoderCreateInstance,
  (brotli_alloc_func take, brotli_free_func release, void *context), (take, release, context))
F(ENCODER, void, BrotliEncoderDestroyInstance, (BrotliEncoderState * state), (state))
F(ENCODER, BROTLI_BOOL, BrotliEncoderSetParameter,
  (BrotliEncoderState * state, BrotliEncoderParameter parameter, uint32_t value),
  (state, parameter, value))
F(ENCODER, BROTLI_BOOL, BrotliEncoderCompressStream,
  (BrotliEncoderState * state, BrotliEncoderOperation operation, size_t *inputLeft,
   const uint8_t **input, size_t *outputLeft, uint8_t **output, size_t *total),
  (state, operation, inputLeft, input, outputLeft, output, total))
F(ENCODER, BROTLI_BOOL, BrotliEncoderHasMoreOutput, (BrotliEncoderState * state), (state))
