#ifndef CPIXELS_H
#define CPIXELS_H

// The inner loops of the resampler: exact 32-bit sums of 8-bit samples weighted by 22-bit fixed-point factors.
//
// The baseline of x86-64 (SSE2) has no 32-bit multiplication of vectors, but it multiplies and adds pairs of 16-bit
// numbers (pmaddwd). Swift's compiler can't be brought to use it for sums that share their operands, which costs a
// factor of five. So a weight is split: weight = high * 2^11 + low, both 16 bits, and high and low are summed apart.
// Sums wrap around in 32 bits; since the true result fits, so does the wrapped one.
//
// Samples stand in planes of 16-bit numbers. Every row and every list of weights is padded to a multiple of
// CPIXELS_LANES elements, so no loop has a remainder. No pointer needs an alignment; none may be null.

#include <stddef.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// Rows and weights are padded to a multiple of this many elements.
#define CPIXELS_LANES 8
/// Bits of a weight's low part.
#define CPIXELS_LOW_BITS 11
/// Bits behind the binary point of a weight: Pillow's PRECISION_BITS, 32 - 8 - 2.
#define CPIXELS_WEIGHT_BITS 22

/// A weighted sum, still to be rounded, as a sample.
static inline int16_t cpixels_round(int32_t sum)
{
    int32_t value = sum >> CPIXELS_WEIGHT_BITS;
    return (int16_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/// Splits `count` pixels (red in the lowest byte, the highest is ignored) into three planes, `stride` elements apart.
static inline void cpixels_split(const uint32_t *restrict pixels, size_t count, int16_t *restrict planes, size_t stride)
{
    int16_t *restrict red = planes;
    int16_t *restrict green = planes + stride;
    int16_t *restrict blue = planes + 2 * stride;
    for (size_t i = 0; i < count; i++) {
        red[i] = (int16_t)(pixels[i] & 255);
        green[i] = (int16_t)(pixels[i] >> 8 & 255);
        blue[i] = (int16_t)(pixels[i] >> 16 & 255);
    }
}

/// One output pixel out of neighbours in a row: three planes, `stride` elements apart, each weighted by the same
/// `count` weights. Writes three samples, `result_stride` elements apart.
static inline void cpixels_weigh_neighbours(const int16_t *planes, size_t stride, const int16_t *high,
                                            const int16_t *low, size_t count, int16_t *result, size_t result_stride)
{
    int32_t sums[4];
#if defined(__SSE2__)
    __m128i high_sums[3] = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
    __m128i low_sums[3] = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
    for (size_t i = 0; i < count; i += CPIXELS_LANES) {
        __m128i high_weights = _mm_loadu_si128((const __m128i *)(high + i));
        __m128i low_weights = _mm_loadu_si128((const __m128i *)(low + i));
        for (size_t plane = 0; plane < 3; plane++) {
            __m128i samples = _mm_loadu_si128((const __m128i *)(planes + plane * stride + i));
            high_sums[plane] = _mm_add_epi32(high_sums[plane], _mm_madd_epi16(samples, high_weights));
            low_sums[plane] = _mm_add_epi32(low_sums[plane], _mm_madd_epi16(samples, low_weights));
        }
    }
    __m128i red = _mm_add_epi32(_mm_slli_epi32(high_sums[0], CPIXELS_LOW_BITS), low_sums[0]);
    __m128i green = _mm_add_epi32(_mm_slli_epi32(high_sums[1], CPIXELS_LOW_BITS), low_sums[1]);
    __m128i blue = _mm_add_epi32(_mm_slli_epi32(high_sums[2], CPIXELS_LOW_BITS), low_sums[2]);
    // Transposes the lanes, so that the three sums are finished side by side.
    __m128i red_green = _mm_add_epi32(_mm_unpacklo_epi32(red, green), _mm_unpackhi_epi32(red, green));
    __m128i blue_blue = _mm_add_epi32(_mm_unpacklo_epi32(blue, blue), _mm_unpackhi_epi32(blue, blue));
    __m128i all = _mm_add_epi32(_mm_unpacklo_epi64(red_green, blue_blue), _mm_unpackhi_epi64(red_green, blue_blue));
    _mm_storeu_si128((__m128i *)sums, all);
#else
    for (size_t plane = 0; plane < 3; plane++) {
        uint32_t high_sum = 0, low_sum = 0;
        for (size_t i = 0; i < count; i++) {
            high_sum += (uint32_t)(planes[plane * stride + i] * high[i]);
            low_sum += (uint32_t)(planes[plane * stride + i] * low[i]);
        }
        sums[plane] = (int32_t)((high_sum << CPIXELS_LOW_BITS) + low_sum);
    }
#endif
    for (size_t plane = 0; plane < 3; plane++) {
        result[plane * result_stride] = cpixels_round((int32_t)((uint32_t)sums[plane] + (1u << (CPIXELS_WEIGHT_BITS - 1))));
    }
}

/// Adds a row of `count` samples, weighted, to `sums`.
static inline void cpixels_add_weighted(const int16_t *restrict samples, size_t count, int16_t high, int16_t low,
                                        int32_t *restrict sums)
{
#if defined(__SSE2__)
    __m128i high_weight = _mm_set1_epi16(high);
    __m128i low_weight = _mm_set1_epi16(low);
    for (size_t i = 0; i < count; i += CPIXELS_LANES) {
        __m128i row = _mm_loadu_si128((const __m128i *)(samples + i));
        __m128i high_bottom = _mm_mullo_epi16(row, high_weight), high_top = _mm_mulhi_epi16(row, high_weight);
        __m128i low_bottom = _mm_mullo_epi16(row, low_weight), low_top = _mm_mulhi_epi16(row, low_weight);
        __m128i first = _mm_add_epi32(
            _mm_slli_epi32(_mm_unpacklo_epi16(high_bottom, high_top), CPIXELS_LOW_BITS),
            _mm_unpacklo_epi16(low_bottom, low_top));
        __m128i second = _mm_add_epi32(
            _mm_slli_epi32(_mm_unpackhi_epi16(high_bottom, high_top), CPIXELS_LOW_BITS),
            _mm_unpackhi_epi16(low_bottom, low_top));
        __m128i *sum = (__m128i *)(sums + i);
        _mm_storeu_si128(sum, _mm_add_epi32(_mm_loadu_si128(sum), first));
        _mm_storeu_si128(sum + 1, _mm_add_epi32(_mm_loadu_si128(sum + 1), second));
    }
#else
    for (size_t i = 0; i < count; i++) {
        uint32_t product = ((uint32_t)(samples[i] * high) << CPIXELS_LOW_BITS) + (uint32_t)(samples[i] * low);
        sums[i] = (int32_t)((uint32_t)sums[i] + product);
    }
#endif
}

/// Rounds `count` weighted sums to samples; half a unit was put into each sum beforehand.
static inline void cpixels_round_all(const int32_t *restrict sums, size_t count, int16_t *restrict samples)
{
    for (size_t i = 0; i < count; i++) {
        samples[i] = cpixels_round(sums[i]);
    }
}

#endif
