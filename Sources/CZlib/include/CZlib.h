#ifndef CZLIB_H
#define CZLIB_H

// zlib as Swift sees it: its initialisers are macros, which Swift doesn't import.

#define ZLIB_CONST
#include <zlib.h>

// The largest window (32 KiB), and the sixteen that means: the gzip format, nothing else.
enum { CZLIB_GZIP_WINDOW_BITS = 15 + 16 };

// Reads gzip. Z_OK, or Z_MEM_ERROR.
static inline int czlib_inflate_begin(z_stream *stream) {
    return inflateInit2(stream, CZLIB_GZIP_WINDOW_BITS);
}

// Writes gzip, with no name and no time in its header. Z_OK, or Z_MEM_ERROR.
static inline int czlib_deflate_begin(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, CZLIB_GZIP_WINDOW_BITS, 8, Z_DEFAULT_STRATEGY);
}

#endif
