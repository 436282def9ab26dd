/* SPDX-License-Identifier: MIT */
/* shortest.c - Schubfach: a float and the ends of its interval, scaled by one power of ten.
 *
 * After Raffaello Giulietti, "The Schubfach way to render doubles" (2020). With value = c * 2^q and
 * 10^k at most as long as the interval of what rounds to value, the interval holds one or more
 * multiples of 10^k and at most one of 10^(k+1), which is taken where there is one. Numbers are
 * scaled by 4 * 10^-k, so that ends and middles of the interval are integers but for the bits that
 * rounding to odd keeps a trace of. 128 bits of each power are enough for that to be exact. */
#include <config.h>

#include "base/shortest.h"

#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

/* Of 10^-k for every float64. */
#define LEAST_POWER (-292)
#define MOST_POWER 324

/* The upper 128 bits of a power, rounded up; the first is set. */
struct power {
    uint64_t high, low;
};

static struct power powers[MOST_POWER - LEAST_POWER + 1];
static pthread_once_t powers_made = PTHREAD_ONCE_INIT;

/* 32 bits a word, the lowest first. 10^324 has 1077 bits; 2^(32 * 36) / 10^292 has 182, all that is
 * asked for and more. */
#define WORDS 37

struct big {
    uint32_t words[WORDS];
};

static void times_ten(struct big *big)
{
    uint64_t carry = 0;

    for (size_t i = 0; i < WORDS; i++) {
        carry += (uint64_t)big->words[i] * 10;
        big->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* Cut off at the point: cutting again later gives the same as cutting once. */
static void tenth(struct big *big)
{
    uint64_t rest = 0;

    for (size_t i = WORDS; i-- > 0;) {
        rest = rest << 32 | big->words[i];
        big->words[i] = (uint32_t)(rest / 10);
        rest %= 10;
    }
}

static unsigned bit_of(const struct big *big, size_t bit)
{
    return big->words[bit / 32] >> bit % 32 & 1;
}

/* exact: nothing was cut off. */
static struct power upper_bits(const struct big *big, bool exact)
{
    struct power power = {0, 0};
    size_t bit = WORDS * (size_t)32, n = 0;

    while (!bit_of(big, bit - 1))
        bit--;
    for (; n < 128; n++) {
        unsigned next = bit > 0 && bit_of(big, --bit);
        power.high = power.high << 1 | power.low >> 63;
        power.low = power.low << 1 | next;
    }
    while (bit > 0 && exact)
        exact = !bit_of(big, --bit);
    /* No power of ten is one of two, so that this never carries out of the upper half. */
    power.low += !exact;
    power.high += !exact && power.low == 0;
    return power;
}

static void make_powers(void)
{
    struct big up = {.words = {1}}, down = {.words = {0}};

    down.words[WORDS - 1] = 1;
    for (int i = 0; i <= MOST_POWER; i++, times_ten(&up))
        powers[i - LEAST_POWER] = upper_bits(&up, true);
    for (int i = -1; i >= LEAST_POWER; i--) {
        tenth(&down);
        powers[i - LEAST_POWER] = upper_bits(&down, false);
    }
}

static uint64_t multiply(uint64_t a, uint64_t b, uint64_t *low)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (uint32_t)middle;

    *low = a * b;
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

/* power * number / 2^128, the last bit set where something was cut off. What is below the last but
 * one bit of the fraction is the error of the power. */
static uint64_t scale(struct power power, uint64_t number)
{
    uint64_t low, middle, below, high;

    below = multiply(power.low, number, &low);
    high = multiply(power.high, number, &middle);
    middle += below;
    high += middle < below;
    return high | (middle > 1);
}

/* A float as c * 2^q, and whether the one below is half as far as the one above. */
struct parts {
    uint64_t c;
    int q;
    bool closer;
};

/* A subnormal has the exponent of the least normal number, and fewer bits. */
static struct parts take_apart(double value, bool single)
{
    int bits = single ? 24 : 53, least = single ? -149 : -1074, exponent;
    struct parts parts;

    frexp(value, &exponent);
    parts.q = exponent - bits > least ? exponent - bits : least;
    parts.c = (uint64_t)ldexp(value, -parts.q);
    parts.closer = parts.c == UINT64_C(1) << (bits - 1) && parts.q > least;
    return parts;
}

/* The powers that are floors of logarithms: of 10^k at most 2^q, or 3/4 of that, and of 2^n at most
 * 10^k. */
static int power_of_ten(int q, bool closer)
{
    return (q * 1262611 - (closer ? 524031 : 0)) >> 22;
}

static int power_of_two(int k)
{
    return k * 1741647 >> 19;
}

/* Picks s or s + 1 where just one of the two, times step, lies within the ends. */
static bool pick(uint64_t *s, uint64_t step, uint64_t lower, uint64_t upper)
{
    bool below = lower <= *s * step, above = (*s + 1) * step <= upper;

    *s += above;
    return below != above;
}

struct ggfs_shortest ggfs_shortest_find(double value, bool single)
{
    struct parts p = take_apart(value, single);
    int k = power_of_ten(p.q, p.closer), shift = p.q + power_of_two(-k) + 1;
    uint64_t odd = p.c & 1, lower, middle, upper, ten, one;
    struct power power;

    pthread_once(&powers_made, make_powers);
    power = powers[-k - LEAST_POWER];
    /* The ends themselves round to value where that is even. */
    lower = scale(power, (4 * p.c - 2 + p.closer) << shift) + odd;
    middle = scale(power, 4 * p.c << shift);
    upper = scale(power, (4 * p.c + 2) << shift) - odd;
    ten = middle / 40;
    if (pick(&ten, 40, lower, upper))
        return (struct ggfs_shortest){ten, k + 1};
    one = middle / 4;
    if (pick(&one, 4, lower, upper))
        return (struct ggfs_shortest){one, k};
    one = middle / 4;
    return (struct ggfs_shortest){one + (middle % 4 > 2 || (middle % 4 == 2 && (one & 1))), k};
}
