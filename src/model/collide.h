/* SPDX-License-Identifier: MIT */
/* collide.h - type numbers that have stood for more than one layout. */
#ifndef GGFS_MODEL_COLLIDE_H
#define GGFS_MODEL_COLLIDE_H

struct ggfs_model;

/* Takes the type from every tensor whose room says that its number means another layout here, and
 * marks it; bytes becomes the room. After all tensors have their rooms, sizes and other faults. */
void ggfs_collide_settle(struct ggfs_model *model);

#endif
