#ifndef CVIPS_H
#define CVIPS_H

// libvips without its headers: they bring GLib's along, and its functions are variadic, which Swift can't call.

#include <stddef.h>
#include <stdint.h>

typedef enum { CVIPS_PNG, CVIPS_WEBP, CVIPS_GIF, CVIPS_TIFF } cvips_format;

/// Initialises libvips for the process: one thread a pipeline, no caches, no warnings on the console, and no loaders but
/// those of cvips_format. Call it once. 0, or -1 if libvips can't work.
int cvips_start(void);

/// Some bytes of a file.
typedef struct {
    const uint8_t *bytes;
    size_t count;
} cvips_piece;

/// Asked whenever the loader reads on: not 0 makes the read fail and so ends the decode.
typedef int (*cvips_is_cancelled)(void *context);

/// A picture that is decoded from top to bottom. Not thread-safe; every function takes one that is not null.
typedef struct cvips_picture cvips_picture;

/// Reads the header of the file that the pieces are one behind the other; of CVIPS_WEBP and CVIPS_GIF it has to be one
/// piece. Null if there is no header, or if memory is short. The pieces, their bytes and the context have to live as
/// long as the picture.
cvips_picture *cvips_open(const cvips_piece *pieces, size_t piece_count, cvips_format format,
                          cvips_is_cancelled is_cancelled, void *context);
void cvips_close(cvips_picture *picture);

int cvips_width(const cvips_picture *picture);
int cvips_height(const cvips_picture *picture);
/// Channels, alpha included.
int cvips_band_count(const cvips_picture *picture);
/// 8 or 16, or 0 if samples are anything else than unsigned integers of these widths.
int cvips_sample_bits(const cvips_picture *picture);
/// Whether the first four channels are inks.
int cvips_is_cmyk(const cvips_picture *picture);

/// Decodes `count` rows from `top`; no row twice and none left out. `*pixels` is the first of them, `*stride` the bytes
/// from one to the next; both are good until the next call. 0, or -1 if the picture is broken or cancelled.
int cvips_read_rows(cvips_picture *picture, int top, int count, const uint8_t **pixels, size_t *stride);

/// Takes what libvips has to say about errors since the last call, in any thread of the process. To be freed.
char *cvips_take_errors(void);

/// Gives back what libvips keeps for the calling thread. To be called when the thread has closed its picture.
void cvips_leave_thread(void);

#endif
