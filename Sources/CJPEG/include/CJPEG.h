#ifndef CJPEG_H
#define CJPEG_H

#include <stdio.h>
#include <jpeglib.h>

#endif
