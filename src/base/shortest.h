/* SPDX-License-Identifier: MIT */
/* shortest.h - the fewest decimal digits that read back to the same float. */
#ifndef GGFS_BASE_SHORTEST_H
#define GGFS_BASE_SHORTEST_H

#include <stdbool.h>
#include <stdint.h>

/* digits * 10^exponent; digits may end in zeros. */
struct ggfs_shortest {
    uint64_t digits;
    int exponent;
};

/* Of a positive finite number: of the decimals with the fewest digits that no other float is nearer
 * to, the one that is nearest to it. single: the floats are float32, of which value is one. */
struct ggfs_shortest ggfs_shortest_find(double value, bool single);

#endif
