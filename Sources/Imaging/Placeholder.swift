import CJPEG
import CVips
func jpegVersion() -> Int32 { vips_version(0) + JPEG_LIB_VERSION }
