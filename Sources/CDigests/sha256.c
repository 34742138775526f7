#include "CDigests.h"

#include <string.h>

#define BLOCK 64

static const uint32_t constants[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t rotate(uint32_t word, int count) {
  return word >> count | word << (32 - count);
}

static inline uint32_t read_word(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void mix_portably(uint32_t *state, const uint8_t *bytes, size_t blocks) {
  for (; blocks > 0; blocks--, bytes += BLOCK) {
    uint32_t w[64];
    for (int i = 0; i < 16; i++) w[i] = read_word(bytes + 4 * i);
    for (int i = 16; i < 64; i++) {
      uint32_t s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
      uint32_t s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    // Words change their roles, which the compiler turns into names when it unrolls the loop.
#pragma clang loop unroll_count(8)
    for (int i = 0; i < 64; i++) {
      uint32_t s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      uint32_t first = h + s1 + (g ^ (e & (f ^ g))) + constants[i] + w[i];
      uint32_t s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      uint32_t second = s0 + ((a & b) | (c & (a | b)));
      h = g, g = f, f = e, e = d + first;
      d = c, c = b, b = a, a = first + second;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
  }
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

static bool has_instructions(void) {
  // 0 is unknown. Two threads that find out at once write the same.
  static int known;
  int found = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (found != 0) return found > 0;
  unsigned a, b = 0, c = 0, d;
  const unsigned needed = bit_SSSE3 | bit_SSE4_1;
  bool has = __get_cpuid(1, &a, &b, &c, &d) && (c & needed) == needed &&
      __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
  __atomic_store_n(&known, has ? 1 : -1, __ATOMIC_RELAXED);
  return has;
}

/// The instructions keep the words as two vectors: A B E F and C D G H, from the highest to the
/// lowest. Each does two rounds; the words of the next rounds are made meanwhile.
__attribute__((target("sha,sse4.1,ssse3"))) static void mix_with_instructions(
    uint32_t *state, const uint8_t *bytes, size_t blocks) {
  const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  __m128i abcd = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
  __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
  __m128i abef = _mm_alignr_epi8(abcd, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, abcd, 0xf0);
  for (; blocks > 0; blocks--, bytes += BLOCK) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
      if (i < 4) {
        w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)bytes + i), order);
      } else {
        // Four words of the schedule, in place of those of sixteen rounds before.
        const __m128i last = w[(i + 3) & 3];
        __m128i next = _mm_sha256msg1_epu32(w[i & 3], w[(i + 1) & 3]);
        next = _mm_add_epi32(next, _mm_alignr_epi8(last, w[(i + 2) & 3], 4));
        w[i & 3] = _mm_sha256msg2_epu32(next, last);
      }
      __m128i sum =
          _mm_add_epi32(w[i & 3], _mm_load_si128((const __m128i *)(constants + 4 * i)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}
#else
static bool has_instructions(void) { return false; }

static void mix_with_instructions(uint32_t *state, const uint8_t *bytes, size_t blocks) {
  mix_portably(state, bytes, blocks);
}
#endif

static void mix(digests_sha256 *hash, const uint8_t *bytes, size_t blocks) {
  if (!hash->is_portable && has_instructions()) {
    mix_with_instructions(hash->words, bytes, blocks);
  } else {
    mix_portably(hash->words, bytes, blocks);
  }
}

void digests_sha256_begin(digests_sha256 *hash, bool is_portable) {
  static const uint32_t words[8] = {
      0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
  };
  memcpy(hash->words, words, sizeof words);
  hash->length = 0;
  hash->is_portable = is_portable;
}

void digests_sha256_append(digests_sha256 *hash, const uint8_t *bytes, size_t count) {
  if (count == 0) return;
  size_t used = hash->length % BLOCK;
  hash->length += count;
  if (used > 0) {
    size_t room = BLOCK - used;
    if (count < room) {
      memcpy(hash->pending + used, bytes, count);
      return;
    }
    memcpy(hash->pending + used, bytes, room);
    mix(hash, hash->pending, 1);
    bytes += room;
    count -= room;
  }
  if (count >= BLOCK) mix(hash, bytes, count / BLOCK);
  memcpy(hash->pending, bytes + count / BLOCK * BLOCK, count % BLOCK);
}

void digests_sha256_digest(const digests_sha256 *hash, uint8_t *digest) {
  digests_sha256 last = *hash;
  const uint64_t bits = hash->length * 8;
  uint8_t end[2 * BLOCK] = {0x80};
  const size_t used = hash->length % BLOCK;
  // One bit behind the bytes, zeros, and the number of bits at the end of a block.
  const size_t count = (used < 56 ? 56 : 56 + BLOCK) - used;
  for (int i = 0; i < 8; i++) end[count + i] = (uint8_t)(bits >> (56 - 8 * i));
  digests_sha256_append(&last, end, count + 8);
  for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(last.words[i / 4] >> (24 - 8 * (i % 4)));
}
