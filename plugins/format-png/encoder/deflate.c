/*
 * Compresses pieces of a PNG's image data: a filter for each piece, then one deflate block (RFC 1951) that ends on a
 * byte, so that pieces of different threads join to one stream. The grain of paper repeats nothing, so matches are
 * sought at the distance of one pixel only; clean pages get those of 32 KB. Built for WebAssembly, without a library.
 */
#include <stdint.h>
#include <wasm_simd128.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

enum {
  LITERALS = 286,
  END = 256,
  MOST_BITS = 12, /* Four literals fit into one store. */
  LENGTHS = 19,
  DISTANCES = 30,
  WINDOW = 32768,
  HASH_BITS = 15,
  LEAST_NEAR = 5,
  LEAST_FAR = 6, /* Shorter ones cost more than their bytes. */
  HASHED = 4, /* Of a match, so many places can be found again. */
  MOST_MATCH = 258,
  STORED = 65535,
};

extern u8 __heap_base;

static inline u64 load64(const u8 *at) {
  u64 value;
  __builtin_memcpy(&value, at, 8);
  return value;
}
static inline void store64(u8 *at, u64 value) { __builtin_memcpy(at, &value, 8); }

/* ---- the filters of PNG (clause 9) ---- */

static void filter_none(u8 *to, const u8 *row, u32 n) { __builtin_memcpy(to, row, n); }

static void filter_sub(u8 *to, const u8 *row, u32 n, u32 bpp) {
  u32 i = 0;
  for (; i < bpp && i < n; i++) to[i] = row[i];
  for (; i + 16 <= n; i += 16)
    wasm_v128_store(to + i, wasm_i8x16_sub(wasm_v128_load(row + i), wasm_v128_load(row + i - bpp)));
  for (; i < n; i++) to[i] = row[i] - row[i - bpp];
}

static void filter_up(u8 *to, const u8 *row, const u8 *above, u32 n) {
  u32 i = 0;
  for (; i + 16 <= n; i += 16)
    wasm_v128_store(to + i, wasm_i8x16_sub(wasm_v128_load(row + i), wasm_v128_load(above + i)));
  for (; i < n; i++) to[i] = row[i] - above[i];
}

static void filter(u32 kind, u8 *to, const u8 *row, const u8 *above, u32 n, u32 bpp) {
  if (kind == 1) filter_sub(to, row, n, bpp);
  else if (kind == 2) filter_up(to, row, above, n);
  else filter_none(to, row, n);
}

/* ---- counts ---- */

static u32 counts4[4][256];

static void count_bytes(const u8 *at, u32 n) {
  u32 i = 0;
  for (; i + 4 <= n; i += 4) {
    counts4[0][at[i]]++;
    counts4[1][at[i + 1]]++;
    counts4[2][at[i + 2]]++;
    counts4[3][at[i + 3]]++;
  }
  for (; i < n; i++) counts4[0][at[i]]++;
}

static void clear_counts(void) { __builtin_memset(counts4, 0, sizeof counts4); }

/* Good to a hundredth, which suffices to compare. */
static float log2_of(float x) {
  union { float f; u32 i; } bits = { x };
  float exponent = (float)(int)((bits.i >> 23) - 127);
  bits.i = (bits.i & 0x7fffff) | 0x3f800000;
  float m = bits.f;
  return exponent + (-0.33582878f * m + 2.0f) * m - 1.65871022f;
}

/* Bits of the counted bytes, if each had its ideal code. */
static float entropy(void) {
  u32 total = 0;
  float bits = 0;
  for (u32 i = 0; i < 256; i++) {
    u32 c = counts4[0][i] + counts4[1][i] + counts4[2][i] + counts4[3][i];
    if (c == 0) continue;
    total += c;
    bits -= c * log2_of((float)c);
  }
  return total ? bits + total * log2_of((float)total) : 0;
}

/* ---- Huffman codes ---- */

static void sort_symbols(u16 *symbols, u32 n, const u32 *counts) {
  /* Shell sort: at most 286, and no library. */
  static const u32 gaps[] = { 132, 57, 23, 10, 4, 1 };
  for (u32 g = 0; g < 6; g++)
    for (u32 i = gaps[g]; i < n; i++) {
      u16 symbol = symbols[i];
      u32 j = i;
      for (; j >= gaps[g] && counts[symbols[j - gaps[g]]] > counts[symbol]; j -= gaps[g])
        symbols[j] = symbols[j - gaps[g]];
      symbols[j] = symbol;
    }
}

/* Lengths of an optimal code, then of one with at most `most` bits. */
static void code_lengths(const u32 *counts, u32 n, u32 most, u8 *lengths) {
  static u16 symbols[LITERALS];
  static u32 weight[2 * LITERALS];
  static u16 parent[2 * LITERALS];
  static u8 depth[2 * LITERALS];
  u32 used = 0;
  for (u32 i = 0; i < n; i++) {
    lengths[i] = 0;
    if (counts[i]) symbols[used++] = i;
  }
  if (used == 0) return;
  if (used == 1) {
    lengths[symbols[0]] = 1;
    return;
  }
  sort_symbols(symbols, used, counts);
  for (u32 i = 0; i < used; i++) weight[i] = counts[symbols[i]];
  u32 leaf = 0, node = used, made = used;
  while (made < 2 * used - 1) {
    u32 pair[2];
    for (u32 k = 0; k < 2; k++)
      pair[k] = leaf < used && (node >= made || weight[leaf] <= weight[node]) ? leaf++ : node++;
    weight[made] = weight[pair[0]] + weight[pair[1]];
    parent[pair[0]] = parent[pair[1]] = made;
    made++;
  }
  u32 per[64] = { 0 };
  depth[made - 1] = 0;
  for (u32 i = made - 1; i-- > 0;) {
    u32 d = depth[parent[i]] + 1u;
    depth[i] = d;
    if (i < used) per[d > most ? most : d]++;
  }
  /* Kraft's sum, in units of the longest code; too much of it is taken back by lengthening the rarest. */
  u32 sum = 0;
  for (u32 d = 1; d <= most; d++) sum += per[d] << (most - d);
  while (sum > 1u << most) {
    per[most]--;
    for (u32 d = most - 1; d > 0; d--)
      if (per[d]) {
        per[d]--;
        per[d + 1] += 2;
        break;
      }
    sum--;
  }
  for (u32 d = most, i = 0; d > 0; d--)
    for (u32 k = per[d]; k > 0; k--) lengths[symbols[i++]] = d;
}

/* Codes of these lengths (clause 3.2.2), with their bits in the order in which they are sent. */
static void codes_of(const u8 *lengths, u32 n, u32 most, u16 *codes) {
  u32 next[16] = { 0 }, per[16] = { 0 };
  for (u32 i = 0; i < n; i++) per[lengths[i]]++;
  per[0] = 0;
  for (u32 d = 1, code = 0; d <= most; d++) next[d] = code = (code + per[d - 1]) << 1;
  for (u32 i = 0; i < n; i++) {
    u32 length = lengths[i];
    if (!length) continue;
    u32 code = next[length]++, turned = 0;
    for (u32 b = 0; b < length; b++) turned |= ((code >> b) & 1) << (length - 1 - b);
    codes[i] = turned;
  }
}

/* ---- bits ---- */

static u8 *out;
static u64 held;
static u32 held_bits;

static inline void put(u64 bits, u32 n) {
  held |= bits << held_bits;
  held_bits += n;
}
/* At most 56 bits may be held before it. */
static inline void flush(void) {
  store64(out, held);
  out += held_bits >> 3;
  held >>= held_bits & ~7u;
  held_bits &= 7;
}

/* ---- one piece ---- */

/* Lengths of matches: code, extra bits, first length (clause 3.2.5). */
static u16 length_code[MOST_MATCH + 1];
static u8 length_extra[MOST_MATCH + 1];
static u16 length_first[MOST_MATCH + 1];

__attribute__((export_name("prepare"))) void prepare(void) {
  u32 code = 257, first = 3;
  for (u32 group = 0; group < 7; group++) {
    u32 extra = group < 2 ? 0 : group - 1;
    for (u32 k = 0; k < 4; k++) {
      for (u32 j = 0; j < 1u << extra && first + j < MOST_MATCH; j++) {
        length_code[first + j] = code;
        length_extra[first + j] = extra;
        length_first[first + j] = first;
      }
      first += 1u << extra;
      code++;
    }
  }
  length_code[MOST_MATCH] = 285;
  length_extra[MOST_MATCH] = 0;
  length_first[MOST_MATCH] = MOST_MATCH;
}

/* The sum of RFC 1950, from 1. */
__attribute__((export_name("adler"))) u32 adler(const u8 *at, u32 n) {
  u32 a = 1, b = 0;
  const v128_t down_low = wasm_i16x8_make(16, 15, 14, 13, 12, 11, 10, 9);
  const v128_t down_high = wasm_i16x8_make(8, 7, 6, 5, 4, 3, 2, 1);
  const v128_t ones = wasm_i16x8_splat(1);
  while (n) {
    u32 most = n < 5552 ? n : 5552, steps = most >> 4;
    n -= most;
    most -= steps << 4;
    if (steps) {
      v128_t sum = wasm_i32x4_splat(0), sums = wasm_i32x4_splat(0), weighted = wasm_i32x4_splat(0);
      b += a * (steps << 4);
      for (u32 s = 0; s < steps; s++, at += 16) {
        v128_t bytes = wasm_v128_load(at);
        v128_t low = wasm_u16x8_extend_low_u8x16(bytes), high = wasm_u16x8_extend_high_u8x16(bytes);
        sums = wasm_i32x4_add(sums, sum);
        sum = wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(wasm_i16x8_add(low, high), ones));
        weighted = wasm_i32x4_add(weighted, wasm_i32x4_dot_i16x8(low, down_low));
        weighted = wasm_i32x4_add(weighted, wasm_i32x4_dot_i16x8(high, down_high));
      }
      u32 lanes[4], total = 0, before = 0, within = 0;
      wasm_v128_store(lanes, sum);
      for (u32 k = 0; k < 4; k++) total += lanes[k];
      wasm_v128_store(lanes, sums);
      for (u32 k = 0; k < 4; k++) before += lanes[k];
      wasm_v128_store(lanes, weighted);
      for (u32 k = 0; k < 4; k++) within += lanes[k];
      a += total;
      b += before * 16 + within;
    }
    for (; most; most--) b += a += *at++;
    a %= 65521;
    b %= 65521;
  }
  return b << 16 | a;
}

/* Rows without a filter: what repeats at a distance stays equal. As filter_rows. */
__attribute__((export_name("plain_rows"))) void plain_rows(const u8 *rows, u32 count, u32 n, u8 *to) {
  for (; count; count--, rows += n, to += n + 1) {
    to[0] = 0;
    filter_none(to + 1, rows, n);
  }
}

/*
 * Filters rows.
 * @param rows pixels of `count` rows of `n` bytes, side by side
 * @param above the row above the first; zeros above an image
 * @param to `count` rows of 1 + n bytes
 * @returns the kind of the filter
 */
__attribute__((export_name("filter_rows")))
u32 filter_rows(const u8 *rows, const u8 *above, u32 count, u32 n, u32 bpp, u8 *to) {
  u32 best = 0;
  float least = 0;
  for (u32 kind = 0; kind < 3; kind++) {
    clear_counts();
    for (u32 r = 0; r < count; r += 16) {
      const u8 *row = rows + r * n;
      filter(kind, to, row, r ? row - n : above, n, bpp);
      count_bytes(to, n);
    }
    float bits = entropy();
    if (kind == 0 || bits < least) {
      least = bits;
      best = kind;
    }
  }
  for (u32 r = 0; r < count; r++, to += n + 1) {
    const u8 *row = rows + r * n;
    to[0] = best;
    filter(best, to + 1, row, r ? row - n : above, n, bpp);
  }
  return best;
}

/* A run of literals, and the match after it: of no bytes at the end. */
typedef struct {
  u32 literals;
  u16 length, distance;
} Token;

static inline u32 match_end(const u8 *from, u32 end, u32 most, u32 distance) {
  while (end + 8 <= most) {
    u64 differs = load64(from + end) ^ load64(from + end - distance);
    if (differs) return end + (__builtin_ctzll(differs) >> 3);
    end += 8;
  }
  while (end < most && from[end] == from[end - distance]) end++;
  return end;
}

/* Matches at the distance of one pixel. */
static u32 tokenise_near(const u8 *from, u32 n, u32 bpp, Token *tokens) {
  u32 i = n < bpp ? n : bpp, start = 0, made = 0;
  while (i + 8 <= n) {
    u64 differs = load64(from + i) ^ load64(from + i - bpp);
    if (differs) {
      i += 8 - (__builtin_clzll(differs) >> 3);
      continue;
    }
    u32 end = match_end(from, i + 8, n - i < MOST_MATCH ? n : i + MOST_MATCH, bpp);
    tokens[made++] = (Token){ i - start, end - i, bpp };
    start = i = end;
  }
  tokens[made++] = (Token){ n - start, 0, 0 };
  return made;
}

/* Of six bytes. */
static inline u32 hash_of(u64 bytes) { return (bytes << 16) * 0x9e3779b185ebca87ull >> (64 - HASH_BITS); }

/* Matches in the 32 KB before, at the last place with the same hash. */
static u32 tokenise_far(const u8 *from, u32 n, u32 bpp, Token *tokens) {
  static u32 last[1 << HASH_BITS];
  __builtin_memset(last, 0, sizeof last);
  u32 i = n < bpp ? n : bpp, start = 0, made = 0;
  while (i + 8 <= n) {
    u64 here = load64(from + i);
    u32 distance = bpp, length = 0;
    u64 differs = here ^ load64(from + i - bpp);
    u32 equal = differs ? __builtin_ctzll(differs) >> 3 : 8;
    u32 hash = hash_of(here), place = last[hash];
    last[hash] = i;
    if (equal >= LEAST_NEAR) length = equal;
    if (equal < 8 && place && i - place <= WINDOW) {
      differs = here ^ load64(from + place);
      u32 far = differs ? __builtin_ctzll(differs) >> 3 : 8;
      if (far >= LEAST_FAR && far > length + 1) { length = far; distance = i - place; }
    }
    if (!length) {
      i++;
      continue;
    }
    u32 most = n - i < MOST_MATCH ? n : i + MOST_MATCH;
    u32 end = length < 8 ? i + length : match_end(from, i + 8, most, distance);
    tokens[made++] = (Token){ i - start, end - i, distance };
    for (u32 k = i + 1; k < end && k < i + HASHED && k + 8 <= n; k++) last[hash_of(load64(from + k))] = k;
    start = i = end;
  }
  tokens[made++] = (Token){ n - start, 0, 0 };
  return made;
}

static u32 dist_counts[DISTANCES];
static u8 dist_lengths[DISTANCES];
static u16 dist_codes[DISTANCES];

/* Extra bits of a distance; 0 for the first four. */
static inline u32 distance_extra(u32 distance) {
  u32 d = distance - 1;
  return d < 4 ? 0 : 30 - __builtin_clz(d);
}
static inline u32 distance_symbol(u32 distance, u32 extra) { return 2 * extra + ((distance - 1) >> extra); }

static u32 lit_counts[LITERALS];
static u8 lit_lengths[LITERALS];
static u16 lit_codes[LITERALS];

static u32 put_stored(const u8 *from, u32 n, u8 *to) {
  u8 *begin = to;
  while (n) {
    u32 most = n < STORED ? n : STORED;
    *to++ = 0;
    *to++ = most;
    *to++ = most >> 8;
    *to++ = ~most;
    *to++ = ~most >> 8;
    __builtin_memcpy(to, from, most);
    to += most;
    from += most;
    n -= most;
  }
  return to - begin;
}

/* The lengths of both codes, run-length coded (clause 3.2.7). */
static void put_header(void) {
  static const u8 order[LENGTHS] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };
  static const u8 extra_bits[3] = { 2, 3, 7 };
  u8 all[LITERALS + DISTANCES];
  u32 literals = LITERALS;
  while (literals > 257 && !lit_lengths[literals - 1]) literals--;
  __builtin_memcpy(all, lit_lengths, literals);
  u32 distances = DISTANCES;
  while (distances > 1 && !dist_lengths[distances - 1]) distances--;
  __builtin_memcpy(all + literals, dist_lengths, distances);
  u32 n = literals + distances;
  u8 symbols[LITERALS + DISTANCES], extras[LITERALS + DISTANCES];
  u32 counts[LENGTHS] = { 0 }, made = 0;
  for (u32 i = 0; i < n;) {
    u32 run = 1;
    while (i + run < n && all[i + run] == all[i]) run++;
    u32 symbol = all[i], extra = 0, taken = 1;
    if (all[i] == 0 && run >= 3) {
      taken = run < 138 ? run : 138;
      symbol = taken < 11 ? 17 : 18;
      extra = taken - (taken < 11 ? 3 : 11);
    } else if (i > 0 && all[i] == all[i - 1] && run >= 3) {
      taken = run < 6 ? run : 6;
      symbol = 16;
      extra = taken - 3;
    }
    symbols[made] = symbol;
    extras[made++] = extra;
    counts[symbol]++;
    i += taken;
  }
  u8 lengths[LENGTHS];
  u16 codes[LENGTHS];
  code_lengths(counts, LENGTHS, 7, lengths);
  codes_of(lengths, LENGTHS, 7, codes);
  u32 sent = LENGTHS;
  while (sent > 4 && !lengths[order[sent - 1]]) sent--;
  put(literals - 257, 5);
  put(distances - 1, 5);
  put(sent - 4, 4);
  flush();
  for (u32 i = 0; i < sent; i++) {
    put(lengths[order[i]], 3);
    flush();
  }
  for (u32 i = 0; i < made; i++) {
    put(codes[symbols[i]], lengths[symbols[i]]);
    if (symbols[i] >= 16) put(extras[i], extra_bits[symbols[i] - 16]);
    flush();
  }
}

/*
 * Compresses filtered bytes into blocks that end on a byte; none of them is the last of a stream.
 * @param n less than 2^32 / 8
 * @param far whether matches are sought in the 32 KB before
 * @param tokens room for 2 n + 64 bytes
 * @param to room for n + n / 2 + 1024 bytes
 * @returns the bytes written
 */
__attribute__((export_name("deflate")))
u32 deflate(const u8 *from, u32 n, u32 bpp, u32 far, Token *tokens, u8 *to) {
  u32 made = far ? tokenise_far(from, n, bpp, tokens) : tokenise_near(from, n, bpp, tokens);
  clear_counts();
  u32 *counts = lit_counts;
  for (u32 i = 256; i < LITERALS; i++) counts[i] = 0;
  for (u32 i = 0; i < DISTANCES; i++) dist_counts[i] = 0;
  u64 extra = 0;
  const u8 *at = from;
  for (u32 k = 0; k < made; k++) {
    u32 literals = tokens[k].literals, length = tokens[k].length, distance = tokens[k].distance;
    count_bytes(at, literals);
    at += literals + length;
    if (length) {
      counts[length_code[length]]++;
      u32 bits = distance_extra(distance);
      dist_counts[distance_symbol(distance, bits)]++;
      extra += length_extra[length] + bits;
    }
  }
  for (u32 i = 0; i < 256; i++) counts[i] = counts4[0][i] + counts4[1][i] + counts4[2][i] + counts4[3][i];
  counts[END] = 1;
  code_lengths(counts, LITERALS, MOST_BITS, lit_lengths);
  code_lengths(dist_counts, DISTANCES, MOST_BITS, dist_lengths);
  u64 bits = extra;
  for (u32 i = 0; i < LITERALS; i++) bits += (u64)counts[i] * lit_lengths[i];
  for (u32 i = 0; i < DISTANCES; i++) bits += (u64)dist_counts[i] * dist_lengths[i];
  if ((bits >> 3) + 200 > n + 5 * (n / STORED + 1)) return put_stored(from, n, to);
  codes_of(lit_lengths, LITERALS, MOST_BITS, lit_codes);
  codes_of(dist_lengths, DISTANCES, MOST_BITS, dist_codes);
  out = to;
  held = 0;
  held_bits = 0;
  put(4, 3); /* not the last, dynamic codes */
  put_header();
  /* A code and its length in one word: four of them make one store. */
  static u32 words[LITERALS];
  for (u32 i = 0; i < LITERALS; i++) words[i] = lit_codes[i] | (u32)lit_lengths[i] << 16;
  at = from;
  u8 *o = out;
  u64 h = held;
  u32 hb = held_bits;
#define PUT(bits, n) (h |= (u64)(bits) << hb, hb += (n))
#define FLUSH() (store64(o, h), o += hb >> 3, h >>= hb & ~7u, hb &= 7)
  for (u32 k = 0; k < made; k++) {
    u32 literals = tokens[k].literals, length = tokens[k].length, distance = tokens[k].distance;
    for (; literals >= 4; literals -= 4, at += 4) {
      u32 a = words[at[0]], b = words[at[1]], c = words[at[2]], d = words[at[3]];
      PUT(a & 0xffff, a >> 16);
      PUT(b & 0xffff, b >> 16);
      PUT(c & 0xffff, c >> 16);
      PUT(d & 0xffff, d >> 16);
      FLUSH();
    }
    for (; literals; literals--, at++) PUT(words[*at] & 0xffff, words[*at] >> 16);
    FLUSH();
    if (length) {
      u32 word = words[length_code[length]];
      PUT(word & 0xffff, word >> 16);
      PUT(length - length_first[length], length_extra[length]);
      u32 bits = distance_extra(distance), symbol = distance_symbol(distance, bits);
      PUT(dist_codes[symbol], dist_lengths[symbol]);
      PUT((distance - 1) & ((1u << bits) - 1), bits);
      FLUSH();
      at += length;
    }
  }
  PUT(words[END] & 0xffff, words[END] >> 16);
  PUT(0, 3); /* an empty stored block */
  FLUSH();
  if (hb) *o++ = h;
  *o++ = 0;
  *o++ = 0;
  *o++ = 0xff;
  *o++ = 0xff;
  return o - to;
}

__attribute__((export_name("heap"))) u8 *heap(void) { return &__heap_base; }
