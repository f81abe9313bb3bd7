#ifndef COPENVINO_H
#define COPENVINO_H

// OpenVINO's own C API; `openvino` beside this file links to the headers that `make setup` unpacks.
#include "openvino/c/openvino.h"

// malloc_trim(3), which Glibc's Swift overlay lacks.
#include <malloc.h>

#endif
