#include "CJPEG.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <jpeglib.h>

struct cjpeg_decoder {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    jmp_buf failure;
    char message[JMSG_LENGTH_MAX];
};

static void fail(j_common_ptr info)
{
    cjpeg_decoder *decoder = info->client_data;
    info->err->format_message(info, decoder->message);
    longjmp(decoder->failure, 1);
}

// Warnings are counted by libjpeg and otherwise tolerated; nothing is printed.
static void ignore_message(j_common_ptr info)
{
    (void)info;
}

static void ignore_source(j_decompress_ptr info)
{
    (void)info;
}

// All bytes were handed over at the start. Answering "suspend" rather than inventing an end of the picture lets the
// caller know where a truncated one starves.
static boolean starve(j_decompress_ptr info)
{
    (void)info;
    return FALSE;
}

static void skip(j_decompress_ptr info, long count)
{
    if (count <= 0) {
        return;
    }
    size_t skipped = (size_t)count < info->src->bytes_in_buffer ? (size_t)count : info->src->bytes_in_buffer;
    info->src->next_input_byte += skipped;
    info->src->bytes_in_buffer -= skipped;
}

cjpeg_decoder *cjpeg_create(const uint8_t *bytes, size_t count)
{
    cjpeg_decoder *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL) {
        return NULL;
    }
    decoder->info.err = jpeg_std_error(&decoder->errors);
    decoder->errors.error_exit = fail;
    decoder->errors.output_message = ignore_message;
    decoder->info.client_data = decoder;
    if (setjmp(decoder->failure)) {
        cjpeg_destroy(decoder);
        return NULL;
    }
    jpeg_create_decompress(&decoder->info);
    decoder->source.next_input_byte = bytes;
    decoder->source.bytes_in_buffer = count;
    decoder->source.init_source = ignore_source;
    decoder->source.fill_input_buffer = starve;
    decoder->source.skip_input_data = skip;
    decoder->source.resync_to_restart = jpeg_resync_to_restart;
    decoder->source.term_source = ignore_source;
    decoder->info.src = &decoder->source;
    return decoder;
}

void cjpeg_destroy(cjpeg_decoder *decoder)
{
    jpeg_destroy_decompress(&decoder->info);
    free(decoder);
}

cjpeg_status cjpeg_read_header(cjpeg_decoder *decoder)
{
    if (setjmp(decoder->failure)) {
        return CJPEG_FAILED;
    }
    return jpeg_read_header(&decoder->info, TRUE) == JPEG_SUSPENDED ? CJPEG_STARVED : CJPEG_DONE;
}

unsigned cjpeg_width(const cjpeg_decoder *decoder)
{
    return decoder->info.image_width;
}

unsigned cjpeg_height(const cjpeg_decoder *decoder)
{
    return decoder->info.image_height;
}

int cjpeg_component_count(const cjpeg_decoder *decoder)
{
    return decoder->info.num_components;
}

int cjpeg_has_multiple_scans(const cjpeg_decoder *decoder)
{
    // libjpeg's declaration lacks the const; the function only reads.
    return jpeg_has_multiple_scans((j_decompress_ptr)&decoder->info);
}

cjpeg_status cjpeg_start(cjpeg_decoder *decoder, unsigned divisor)
{
    if (setjmp(decoder->failure)) {
        return CJPEG_FAILED;
    }
    decoder->info.scale_num = 1;
    decoder->info.scale_denom = divisor;
    decoder->info.dct_method = JDCT_ISLOW;
    decoder->info.do_fancy_upsampling = TRUE;
    decoder->info.out_color_space = decoder->info.num_components == 4 ? JCS_CMYK : JCS_EXT_RGBA;
    decoder->info.buffered_image = jpeg_has_multiple_scans(&decoder->info);
    return jpeg_start_decompress(&decoder->info) ? CJPEG_DONE : CJPEG_STARVED;
}

cjpeg_layout cjpeg_row_layout(const cjpeg_decoder *decoder)
{
    return decoder->info.out_color_space == JCS_CMYK ? CJPEG_CMYK : CJPEG_RGBA;
}

unsigned cjpeg_row_width(const cjpeg_decoder *decoder)
{
    return decoder->info.output_width;
}

unsigned cjpeg_row_count(const cjpeg_decoder *decoder)
{
    return decoder->info.output_height;
}

cjpeg_status cjpeg_consume(cjpeg_decoder *decoder)
{
    if (setjmp(decoder->failure)) {
        return CJPEG_FAILED;
    }
    switch (jpeg_consume_input(&decoder->info)) {
    case JPEG_SUSPENDED:
        return CJPEG_STARVED;
    case JPEG_REACHED_EOI:
        return CJPEG_DONE;
    case JPEG_SCAN_COMPLETED:
        return CJPEG_SCAN_ENDED;
    default:
        return CJPEG_TOOK_ROW;
    }
}

cjpeg_status cjpeg_start_output(cjpeg_decoder *decoder)
{
    if (setjmp(decoder->failure)) {
        return CJPEG_FAILED;
    }
    return jpeg_start_output(&decoder->info, decoder->info.input_scan_number) ? CJPEG_DONE : CJPEG_STARVED;
}

cjpeg_status cjpeg_read_row(cjpeg_decoder *decoder, uint8_t *row)
{
    if (setjmp(decoder->failure)) {
        return CJPEG_FAILED;
    }
    JSAMPROW rows[1] = {row};
    return jpeg_read_scanlines(&decoder->info, rows, 1) == 1 ? CJPEG_DONE : CJPEG_STARVED;
}

const char *cjpeg_message(const cjpeg_decoder *decoder)
{
    return decoder->message;
}
