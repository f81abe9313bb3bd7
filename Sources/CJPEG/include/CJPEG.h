#ifndef CJPEG_H
#define CJPEG_H

// libjpeg reports errors by longjmp, which must not cross Swift frames. Each of these functions catches it and returns
// a status instead; Swift drives the loops between them.

#include <stddef.h>
#include <stdint.h>

/// A decoder that reads from memory. Not thread-safe; every function but the first takes one that is not null.
typedef struct cjpeg_decoder cjpeg_decoder;

typedef enum {
    /// The step is done.
    CJPEG_DONE,
    /// The step needs bytes that are not there; the picture is truncated. The decoder can't go on.
    CJPEG_STARVED,
    /// The picture is broken, see cjpeg_message. The decoder can't go on.
    CJPEG_FAILED,
    /// cjpeg_consume only: a row of blocks was taken in.
    CJPEG_TOOK_ROW,
    /// cjpeg_consume only: a scan ended.
    CJPEG_SCAN_ENDED,
} cjpeg_status;

typedef enum {
    /// Four bytes a pixel: red, green, blue, 255.
    CJPEG_RGBA,
    /// Four bytes a pixel: cyan, magenta, yellow, black, as stored (Adobe stores them inverted).
    CJPEG_CMYK,
} cjpeg_layout;

/// Null if memory is short. The bytes have to live as long as the decoder.
cjpeg_decoder *cjpeg_create(const uint8_t *bytes, size_t count);
void cjpeg_destroy(cjpeg_decoder *decoder);

/// Reads up to the first scan.
cjpeg_status cjpeg_read_header(cjpeg_decoder *decoder);

/// Known after the header: size in the file, number of colour components, and whether the picture has to be taken in
/// with cjpeg_consume before its first row comes out.
unsigned cjpeg_width(const cjpeg_decoder *decoder);
unsigned cjpeg_height(const cjpeg_decoder *decoder);
int cjpeg_component_count(const cjpeg_decoder *decoder);
int cjpeg_has_multiple_scans(const cjpeg_decoder *decoder);

/// Starts the decoder. The picture comes out with 1/divisor of its size (1, 2, 4 or 8; rounded up). The inverse DCT is
/// the accurate integer one and chroma is interpolated ("fancy"), like in Pillow.
cjpeg_status cjpeg_start(cjpeg_decoder *decoder, unsigned divisor);

/// The layout and width of rows, known after the start.
cjpeg_layout cjpeg_row_layout(const cjpeg_decoder *decoder);
unsigned cjpeg_row_width(const cjpeg_decoder *decoder);
unsigned cjpeg_row_count(const cjpeg_decoder *decoder);

/// Takes in the next piece of a picture with multiple scans. CJPEG_DONE means that all scans were taken in.
cjpeg_status cjpeg_consume(cjpeg_decoder *decoder);

/// After the last scan of a picture with multiple scans.
cjpeg_status cjpeg_start_output(cjpeg_decoder *decoder);

/// Decodes the next row into `row`: 4 * cjpeg_row_width bytes.
cjpeg_status cjpeg_read_row(cjpeg_decoder *decoder, uint8_t *row);

/// Why the last step failed; lives as long as the decoder.
const char *cjpeg_message(const cjpeg_decoder *decoder);

#endif
