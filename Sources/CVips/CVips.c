#include "CVips.h"

#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>

struct cvips_picture {
    const cvips_piece *pieces;
    size_t piece_count;
    size_t count;
    size_t position;
    // Where the position is: in this piece, behind so many of its bytes.
    size_t piece;
    size_t offset;
    cvips_is_cancelled is_cancelled;
    void *context;
    VipsImage *image;
    VipsRegion *region;
};

int cvips_start(void)
{
    // Both are read when libvips starts. By default it unpacks pictures of more than 100 MB to a file in /tmp: a
    // stranger's picture on disk, and a failure where the disk is read-only.
    g_setenv("VIPS_WARNING", "0", TRUE);
    g_setenv("VIPS_DISC_THRESHOLD", "1000g", TRUE);
    if (vips_init("embedd") != 0) {
        return -1;
    }
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    vips_cache_set_max_mem(0);
    vips_cache_set_max_files(0);
    vips_operation_block_set("VipsForeignLoad", TRUE);
    vips_operation_block_set("VipsForeignLoadPng", FALSE);
    vips_operation_block_set("VipsForeignLoadWebp", FALSE);
    vips_operation_block_set("VipsForeignLoadNsgif", FALSE);
    vips_operation_block_set("VipsForeignLoadTiff", FALSE);
    return 0;
}

static void move_to(cvips_picture *picture, size_t position)
{
    picture->position = position;
    picture->offset = position;
    for (picture->piece = 0; picture->piece < picture->piece_count; picture->piece++) {
        size_t count = picture->pieces[picture->piece].count;
        if (picture->offset < count) {
            return;
        }
        picture->offset -= count;
    }
}

static gint64 read_on(VipsSourceCustom *source, void *buffer, gint64 length, void *context)
{
    (void)source;
    cvips_picture *picture = context;
    if (length < 0 || picture->is_cancelled(picture->context)) {
        return -1;
    }
    size_t taken = 0;
    while (taken < (size_t)length && picture->piece < picture->piece_count) {
        const cvips_piece *piece = &picture->pieces[picture->piece];
        size_t left = piece->count - picture->offset;
        size_t wanted = (size_t)length - taken;
        size_t part = wanted < left ? wanted : left;
        if (part > 0) {
            memcpy((uint8_t *)buffer + taken, piece->bytes + picture->offset, part);
        }
        taken += part;
        picture->position += part;
        picture->offset += part;
        if (picture->offset == piece->count) {
            picture->piece++;
            picture->offset = 0;
        }
    }
    return (gint64)taken;
}

static gint64 seek_to(VipsSourceCustom *source, gint64 offset, int whence, void *context)
{
    (void)source;
    cvips_picture *picture = context;
    gint64 base = whence == SEEK_CUR ? (gint64)picture->position : whence == SEEK_END ? (gint64)picture->count : 0;
    if (offset < -base || offset > (gint64)picture->count - base) {
        return -1;
    }
    move_to(picture, (size_t)(base + offset));
    return (gint64)picture->position;
}

static VipsSource *open_source(cvips_picture *picture, cvips_format format)
{
    // These loaders want the file in one piece anyway.
    if (format == CVIPS_WEBP || format == CVIPS_GIF) {
        return picture->piece_count == 1 ? vips_source_new_from_memory(picture->pieces->bytes, picture->count) : NULL;
    }
    VipsSourceCustom *source = vips_source_custom_new();
    if (source != NULL) {
        g_signal_connect(source, "read", G_CALLBACK(read_on), picture);
        g_signal_connect(source, "seek", G_CALLBACK(seek_to), picture);
    }
    return (VipsSource *)source;
}

static int load(VipsSource *source, cvips_format format, VipsImage **image)
{
    switch (format) {
    case CVIPS_PNG:
        return vips_pngload_source(source, image, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
    case CVIPS_WEBP:
        return vips_webpload_source(source, image, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
    case CVIPS_GIF:
        return vips_gifload_source(source, image, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
    case CVIPS_TIFF:
        return vips_tiffload_source(source, image, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
    }
    return -1;
}

cvips_picture *cvips_open(const cvips_piece *pieces, size_t piece_count, cvips_format format,
                          cvips_is_cancelled is_cancelled, void *context)
{
    cvips_picture *picture = calloc(1, sizeof *picture);
    if (picture == NULL) {
        return NULL;
    }
    picture->pieces = pieces;
    picture->piece_count = piece_count;
    for (size_t i = 0; i < piece_count; i++) {
        picture->count += pieces[i].count;
    }
    picture->is_cancelled = is_cancelled;
    picture->context = context;
    VipsSource *source = open_source(picture, format);
    if (source != NULL) {
        // The image keeps the source alive.
        if (load(source, format, &picture->image) == 0) {
            picture->region = vips_region_new(picture->image);
        }
        g_object_unref(source);
    }
    if (picture->region == NULL) {
        cvips_close(picture);
        return NULL;
    }
    return picture;
}

void cvips_close(cvips_picture *picture)
{
    g_clear_object(&picture->region);
    g_clear_object(&picture->image);
    free(picture);
}

int cvips_width(const cvips_picture *picture)
{
    return picture->image->Xsize;
}

int cvips_height(const cvips_picture *picture)
{
    return picture->image->Ysize;
}

int cvips_band_count(const cvips_picture *picture)
{
    return picture->image->Bands;
}

int cvips_sample_bits(const cvips_picture *picture)
{
    switch (picture->image->BandFmt) {
    case VIPS_FORMAT_UCHAR:
        return 8;
    case VIPS_FORMAT_USHORT:
        return 16;
    default:
        return 0;
    }
}

int cvips_is_cmyk(const cvips_picture *picture)
{
    return picture->image->Type == VIPS_INTERPRETATION_CMYK;
}

int cvips_read_rows(cvips_picture *picture, int top, int count, const uint8_t **pixels, size_t *stride)
{
    VipsRect rows = {.left = 0, .top = top, .width = picture->image->Xsize, .height = count};
    if (vips_region_prepare(picture->region, &rows) != 0) {
        return -1;
    }
    *pixels = VIPS_REGION_ADDR(picture->region, 0, top);
    *stride = VIPS_REGION_LSKIP(picture->region);
    return 0;
}

char *cvips_take_errors(void)
{
    return vips_error_buffer_copy();
}

void cvips_leave_thread(void)
{
    vips_thread_shutdown();
}
