#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A SHA-256 digest (FIPS 180-4) under way: the words so far, and the bytes of a block that is not
/// complete.
typedef struct {
  uint32_t words[8];
  uint64_t length;
  uint8_t pending[64];
  /// True if the instructions of the processor for SHA-256 are not used.
  bool is_portable;
} digests_sha256;

void digests_sha256_begin(digests_sha256 *_Nonnull hash, bool is_portable);
void digests_sha256_append(
    digests_sha256 *_Nonnull hash, const uint8_t *_Nullable bytes, size_t count);
/// Writes the 32 bytes of the digest of all bytes so far. More bytes may be appended behind them.
void digests_sha256_digest(const digests_sha256 *_Nonnull hash, uint8_t *_Nonnull digest);
