/* SPDX-License-Identifier: MIT */
/* legacy_choose.c - trying every frame that the container may have, and ranking those that fit.
 *
 * A frame fits where a walk with it ends at the end of the file. Wrong frames die within a few
 * tokens, but several may fit: a gpt-2 file is a w7 file too, with the repeated n_vocab for ftype,
 * and the ftype 9 of a Q5_1 llama file can be the length of a first token that is really 5 bytes
 * long, which makes it w6. The ftype word tells: it must name a type that the large tensors have.
 */
#include <config.h>

#include "formats/legacy_choose.h"

#include "base/num.h"
#include "model/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LAYOUTS 2

/* When nothing fits: so many tokens are no accident; and what most files are. */
#define TOKENS_BELIEVED 16
#define USUAL_FRAME "w7"

struct search {
    struct ggfs_legacy_choice *choice;
    struct ggfs_legacy_walk walk; /* the one that is being tried */
    struct ggfs_legacy_why best;  /* of the frame that got farthest */
    const struct ggfs_legacy_frame *best_frame;
    uint64_t best_at;
    const char *layout; /* -o layout= */
    struct ggfs_err *err;
    char tried[128];
};

const struct ggfs_legacy_container *ggfs_legacy_container_by_magic(const uint8_t *head, size_t n)
{
    for (size_t i = 0; n >= 4 && i < ggfs_legacy_n_containers; i++)
        if (memcmp(head, ggfs_legacy_containers[i].magic, 4) == 0)
            return &ggfs_legacy_containers[i];
    return NULL;
}

/* `1, 100, 101` */
static void list_versions(const char *magic, char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < ggfs_legacy_n_containers && used < size; i++)
        if (memcmp(ggfs_legacy_containers[i].magic, magic, 4) == 0)
            used += (size_t)snprintf(out + used, size - used, "%s%" PRIu32, used ? ", " : "",
                                     ggfs_legacy_containers[i].version);
}

static const struct ggfs_legacy_container *find_container(struct ggfs_peek *peek,
                                                          struct ggfs_err *err)
{
    const uint8_t *head = ggfs_peek_at(peek, 0, 4);
    const struct ggfs_legacy_container *row = ggfs_legacy_container_by_magic(head, head ? 4 : 0);
    const char *magic = row ? row->magic : "";
    uint32_t version;
    char known[32];

    if (!row || row->version == 0)
        return row;
    head = ggfs_peek_at(peek, 4, 4);
    if (!head) {
        ggfs_fail(err, GGFS_ERR_FORMAT, 4, "version", "needs 4 bytes, but the file ends before");
        return NULL;
    }
    version = ggfs_num_u32(head, false);
    for (size_t i = 0; i < ggfs_legacy_n_containers; i++)
        if (memcmp(ggfs_legacy_containers[i].magic, magic, 4) == 0 &&
            ggfs_legacy_containers[i].version == version)
            return &ggfs_legacy_containers[i];
    list_versions(magic, known, sizeof known);
    ggfs_fail(err, GGFS_ERR_FORMAT, 4, "version", "%" PRIu32 ", but %s files have %s", version,
              row->name, known);
    return NULL;
}

enum ggfs_legacy_ftypes ggfs_legacy_ftypes_of(const struct ggfs_legacy_walk *walk)
{
    if (walk->container->family == GGFS_LEGACY_RWKV)
        return GGFS_FTYPES_RWKV;
    return walk->container->family == GGFS_LEGACY_GGML ? GGFS_FTYPES_GGML : GGFS_FTYPES_LLAMA;
}

/* The thousands of ftype, which the container's version must not contradict. */
static bool digit_fits(const struct ggfs_legacy_walk *walk)
{
    uint32_t digit = walk->ftype / 1000;

    if (walk->container->family == GGFS_LEGACY_GGML)
        return digit <= 9;
    return digit == 0 || digit + 1 == walk->container->version;
}

static bool is_good(const struct ggfs_legacy_walk *walk)
{
    int number;

    if (walk->frame->nameless)
        return walk->n_records == 4 && walk->end == GGFS_END_EXACT;
    if (!walk->has_ftype)
        return true;
    number = ggfs_legacy_ftype_number(ggfs_legacy_ftypes_of(walk), walk->ftype % 1000);
    if (number < 0 || !digit_fits(walk))
        return false;
    if (walk->layout == &ggfs_legacy_layouts[GGFS_LAYOUT_V1_TYPE6] && number == 8)
        number = 6;
    return walk->n_records == 0 || (walk->matrix_numbers >> number & 1);
}

/* The layouts to try, in order. Plain ggml files tell by ftype's thousands; some writers did not
 * know of them: those of mpt and replit never wrote v1, bert's went from v1 to v3. */
static size_t list_layouts(const struct ggfs_legacy_walk *walk, uint8_t out[LAYOUTS])
{
    uint32_t digit = walk->has_ftype ? walk->ftype / 1000 : 0;

    out[0] = walk->container->layout;
    out[1] = walk->container->second;
    if (walk->container->family == GGFS_LEGACY_GGML) {
        bool no_digit = walk->frame->no_digit && digit == 0;
        out[0] = digit == 1 || no_digit ? GGFS_LAYOUT_V2
                 : digit >= 2           ? GGFS_LAYOUT_V3_GGML
                                        : GGFS_LAYOUT_V1;
        out[1] = no_digit || (walk->frame->v1_to_v3 && digit == 0) ? GGFS_LAYOUT_V3_GGML : out[0];
        if (digit >= 2)
            out[1] = GGFS_LAYOUT_V3_64;
    }
    return out[0] == out[1] ? 1 : 2;
}

/* May a file of this container have the layout, as far as its numbers go? */
static bool has_layout(const struct ggfs_legacy_container *container, uint8_t layout)
{
    bool for_rwkv = layout == GGFS_LAYOUT_RWKV_V1 || layout == GGFS_LAYOUT_RWKV_V3;
    bool for_ggla = layout == GGFS_LAYOUT_FLOATS;

    return (container->family == GGFS_LEGACY_RWKV) == for_rwkv &&
           (container->family == GGFS_LEGACY_GGLA) == for_ggla;
}

static bool has_planar(const struct ggfs_legacy_container *container)
{
    return container->family == GGFS_LEGACY_GGML;
}

/* -o layout=: the one of that name that the container has numbers for. */
static size_t force_layout(const struct search *search, uint8_t out[LAYOUTS])
{
    for (uint8_t i = 0; i < GGFS_LAYOUT_COUNT; i++) {
        if (!has_layout(search->walk.container, i) ||
            strcmp(ggfs_legacy_layouts[i].name, search->layout) != 0)
            continue;
        out[0] = i == GGFS_LAYOUT_V3 && search->walk.container->family == GGFS_LEGACY_GGML
                     ? GGFS_LAYOUT_V3_GGML
                     : i;
        return 1;
    }
    return 0;
}

/* How well a walk went, larger is better. */
static int rank(enum ggfs_legacy_end end, bool good)
{
    switch (end) {
    case GGFS_END_EXACT:
        return good ? 4 : 2;
    case GGFS_END_SURPLUS:
        return good ? 3 : 0;
    case GGFS_END_CUT:
        return good ? 1 : 0;
    default:
        return 0;
    }
}

/* Of two cut files' readings the one that got farther is the better. */
static bool is_better(const struct ggfs_legacy_choice *choice, const struct ggfs_legacy_walk *walk,
                      bool good)
{
    int old = rank(choice->walk.end, choice->good), new = rank(walk->end, good);

    if (choice->n_fitted == 0)
        return new > 0;
    return new > old || (new == 1 && old == 1 && walk->n_records > choice->walk.n_records);
}

/* Whoever forces a frame need not be told that its ftype is odd. */
static bool judge(const struct search *search)
{
    return search->choice->forced_frame || is_good(&search->walk);
}

/* A frame counts once, whatever its layouts. */
static void add_candidate(struct ggfs_legacy_choice *choice, const struct ggfs_legacy_walk *walk,
                          bool good)
{
    size_t n = choice->n_fitted;

    if (n == GGFS_LEGACY_CANDIDATES)
        return;
    if (n == 0 || choice->fitted[n - 1].frame != walk->frame)
        n = ++choice->n_fitted;
    choice->fitted[n - 1] =
        (struct ggfs_legacy_candidate){walk->frame, walk->end, walk->n_records, walk->ftype, good};
}

static void keep(struct search *search)
{
    struct ggfs_legacy_choice *choice = search->choice;
    const struct ggfs_legacy_walk *walk = &search->walk;
    bool good = judge(search);

    if (is_better(choice, walk, good)) {
        choice->walk = *walk;
        choice->good = good;
    }
    add_candidate(choice, walk, good);
}

/* May the ftype word be one, as far as it has been read? */
static bool is_ftype(const struct ggfs_legacy_walk *walk)
{
    if (!walk->has_ftype)
        return strcmp(walk->frame->name, "silero") == 0;
    return digit_fits(walk) &&
           ggfs_legacy_ftype_number(ggfs_legacy_ftypes_of(walk), walk->ftype % 1000) >= 0;
}

/* How far a walk that failed came. What meets the end of the file has come all the way: most files
 * that fit nothing are cut. Within a few tokens a wrong frame may come farther than the right one
 * that stops at a wrong word; then the container's usual frame speaks. */
static uint64_t progress(const struct ggfs_legacy_walk *walk)
{
    if (is_ftype(walk) && walk->ran_out)
        return walk->peek->source->size;
    if (is_ftype(walk) && (walk->n_records > 0 || walk->n_tokens >= TOKENS_BELIEVED))
        return walk->why.offset;
    return strcmp(walk->frame->name, USUAL_FRAME) == 0;
}

static void note_failure(struct search *search)
{
    if (search->best_frame && progress(&search->walk) <= search->best_at)
        return;
    search->best = search->walk.why;
    search->best_frame = search->walk.frame;
    search->best_at = progress(&search->walk);
}

static bool try_layouts(struct search *search)
{
    struct ggfs_legacy_walk *walk = &search->walk;
    uint8_t layouts[LAYOUTS];
    size_t n = search->layout ? force_layout(search, layouts) : list_layouts(walk, layouts);

    for (size_t i = 0; i < n; i++) {
        walk->layout = &ggfs_legacy_layouts[layouts[i]];
        if (!ggfs_legacy_walk_records(walk, NULL) && search->err->kind != GGFS_ERR_NONE)
            return false;
        if (walk->end != GGFS_END_EXACT)
            note_failure(search);
        if (rank(walk->end, judge(search)) == 0)
            continue;
        keep(search);
        if (walk->end == GGFS_END_EXACT)
            break;
    }
    return true;
}

static bool try_frame(struct search *search, const struct ggfs_legacy_frame *frame)
{
    struct ggfs_legacy_walk *walk = &search->walk;
    size_t used = strlen(search->tried);

    walk->frame = frame;
    walk->has_ftype = false;
    walk->ftype = walk->n_tokens = walk->n_records = 0;
    search->choice->n_tried++;
    snprintf(search->tried + used, sizeof search->tried - used, "%s%s", used ? ", " : "",
             frame->name);
    if (ggfs_legacy_walk_head(walk, NULL))
        return try_layouts(search);
    note_failure(search);
    return search->err->kind == GGFS_ERR_NONE;
}

static const struct ggfs_legacy_arch *arch_named(const struct ggfs_legacy_frame *frame,
                                                 const char *name)
{
    for (size_t i = 0; i < frame->n_archs; i++)
        if (strcmp(frame->archs[i].name, name) == 0)
            return &frame->archs[i];
    return NULL;
}

static bool is_wanted(struct search *search, const struct ggfs_legacy_frame *frame,
                      const char *name)
{
    const struct ggfs_legacy_arch *arch;

    if (!(frame->families & search->walk.container->family))
        return false;
    if (!name || strcmp(frame->name, name) == 0)
        return true;
    arch = arch_named(frame, name);
    if (arch)
        search->choice->forced_arch = arch;
    return arch != NULL;
}

#define NAME_SIZE 32

/* `ggml`, `ggjt 3` */
static const char *name_container(const struct ggfs_legacy_container *container,
                                  char out[NAME_SIZE])
{
    char version[16] = "";

    if (container->version)
        snprintf(version, sizeof version, " %" PRIu32, container->version);
    snprintf(out, NAME_SIZE, "%s%s", container->name, version);
    return out;
}

static bool fail_frame(const struct search *search, const char *name)
{
    char known[256] = "", container[NAME_SIZE];
    size_t used = 0;

    for (size_t i = 0; i < ggfs_legacy_n_frames && used < sizeof known; i++)
        if (ggfs_legacy_frames[i].families & search->walk.container->family)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                                     ggfs_legacy_frames[i].name);
    return ggfs_fail(search->err, GGFS_ERR_USAGE, GGFS_NO_OFFSET, NULL,
                     "-o frame=%s: %s files have %s", name,
                     name_container(search->walk.container, container), known);
}

static bool fail_layout(const struct search *search)
{
    const struct ggfs_legacy_container *container = search->walk.container;
    char known[64] = "", name[NAME_SIZE];
    size_t used = 0;

    for (uint8_t i = 0; i < GGFS_LAYOUT_COUNT && used < sizeof known; i++)
        if (has_layout(container, i) && i != GGFS_LAYOUT_V3_GGML)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                                     ggfs_legacy_layouts[i].name);
    return ggfs_fail(search->err, GGFS_ERR_USAGE, GGFS_NO_OFFSET, NULL,
                     "-o layout=%s: %s files have %s%s", search->layout,
                     name_container(container, name), known,
                     has_planar(container) ? ", planar" : "");
}

/* Planar rows are v1 blocks taken apart. */
static bool check_layout(struct search *search)
{
    uint8_t layouts[LAYOUTS];

    if (search->layout && has_planar(search->walk.container) &&
        strcmp(search->layout, "planar") == 0) {
        search->choice->forced_planar = true;
        search->layout = "v1";
    }
    if (!search->layout || force_layout(search, layouts))
        return true;
    return fail_layout(search);
}

static bool fail_all(const struct search *search)
{
    const struct ggfs_legacy_why *best = &search->best;

    if (search->choice->n_tried == 1)
        return ggfs_fail(search->err, GGFS_ERR_FORMAT, best->offset, best->field, "%s", best->text);
    return ggfs_fail(search->err, GGFS_ERR_FORMAT, best->offset, best->field,
                     "%s (tried as %s; this is what it says as %s%s)", best->text, search->tried,
                     search->best_frame->name,
                     search->walk.container->family == GGFS_LEGACY_GGML
                         ? "; clip.cpp, stable-diffusion.cpp, bark.cpp had others, unknown to ggfs"
                         : "");
}

bool ggfs_legacy_choose(struct ggfs_legacy_choice *choice, struct ggfs_peek *peek,
                        const struct ggfs_open_options *options, struct ggfs_err *err)
{
    struct search search = {.choice = choice, .layout = options->layout, .err = err};

    memset(choice, 0, sizeof *choice);
    choice->forced_frame = options->frame != NULL;
    choice->forced_layout = options->layout != NULL;
    search.walk.peek = peek;
    search.walk.container = find_container(peek, err);
    if (!search.walk.container || !check_layout(&search))
        return false;
    for (size_t i = 0; i < ggfs_legacy_n_frames; i++)
        if (is_wanted(&search, &ggfs_legacy_frames[i], options->frame) &&
            !try_frame(&search, &ggfs_legacy_frames[i]))
            return false;
    if (choice->n_tried == 0)
        return fail_frame(&search, options->frame);
    return choice->n_fitted > 0 || fail_all(&search);
}
