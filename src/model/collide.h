/* SPDX-License-Identifier: MIT */
/* collide.h - type numbers that have stood for more than one layout. */
#ifndef GGFS_MODEL_COLLIDE_H
#define GGFS_MODEL_COLLIDE_H

struct ggfs_model;

/* Marks every tensor whose room says that its number means another layout here. It gets that
 * layout's type and size where there is no doubt; else it has no type, and bytes is the room. After
 * all tensors have their rooms, sizes and other faults. */
void ggfs_collide_settle(struct ggfs_model *model);

#endif
