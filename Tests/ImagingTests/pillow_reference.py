"""Makes pictures and what Pillow makes of them.

Reads jobs as JSON from stdin: {"directory": ..., "jobs": [{"picture", "width", "height", "seed", "orientation",
"resize", "crop", "interpolation"}]}. Writes <index>.file, the encoded picture, and <index>.rgb, the prepared pixels,
for each. `resize` is a number (shorter side) or [width, height]; null in `resize` leaves out the preparation.
"""

import io
import json
import pathlib
import struct
import sys
import zlib

import numpy as np
from PIL import Image, ImageCms, ImageOps

FILTERS = {
    "bilinear": Image.Resampling.BILINEAR,
    "bicubic": Image.Resampling.BICUBIC,
    "lanczos": Image.Resampling.LANCZOS,
}


def canvas(width, height, seed, channels=3):
    """Gradients, hard edges and noise: something for every branch of an encoder."""
    random = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width].astype(float)
    planes = []
    for _ in range(channels):
        a, b, c = random.uniform(-1, 1, 3)
        plane = 128 + 100 * np.sin(a * x / 9 + b * y / 7 + c)
        plane += np.where((x // 13 + y // 11) % 2 > 0, 40 * c, 0) + random.normal(0, 12, plane.shape)
        planes.append(plane)
    return np.clip(np.stack(planes, -1), 0, 255).astype(np.uint8)


def image(job, mode):
    channels = {"1": 1, "L": 1, "P": 3, "LA": 2, "RGB": 3, "RGBA": 4, "CMYK": 4}[mode]
    pixels = canvas(job["width"], job["height"], job["seed"], channels)
    if mode == "1":
        return Image.fromarray(pixels[..., 0]).convert("1")
    if mode == "P":
        return Image.fromarray(pixels).quantize(61)
    if mode == "CMYK":
        return Image.frombytes("CMYK", (job["width"], job["height"]), pixels.tobytes())
    return Image.fromarray(pixels[..., 0] if channels == 1 else pixels)


def save(picture, job, **options):
    if job["orientation"] != 1:
        exif = Image.Exif()
        exif[0x0112] = job["orientation"]
        options["exif"] = exif
    out = io.BytesIO()
    picture.save(out, **options)
    return out.getvalue()


def jpeg(mode="RGB", **options):
    return lambda job: save(image(job, mode), job, format="JPEG", quality=85, **options)


def png(mode, **options):
    return lambda job: save(image(job, mode), job, format="PNG", **options)


def webp(mode, **options):
    return lambda job: save(image(job, mode), job, format="WEBP", **options)


def tiff(mode, **options):
    return lambda job: save(image(job, mode), job, format="TIFF", **options)


def jpeg_ycck(job):
    """Pillow writes CMYK only; the samples are arbitrary, so relabelling them in the Adobe segment will do."""
    data = bytearray(jpeg("CMYK")(job))
    data[data.index(b"Adobe") + 11] = 2
    return bytes(data)


def jpeg_xmp(job):
    """The orientation stands in XMP alone."""
    data = jpeg()({**job, "orientation": 1})
    packet = b'<x tiff:Orientation="%d"/>' % job["orientation"]
    body = b"http://ns.adobe.com/xap/1.0/\0" + packet
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + data[2:]


def png_deep(channels):
    """Sixteen bits a sample, which Pillow doesn't write for colour."""

    def encode(job):
        random = np.random.default_rng(job["seed"])
        samples = random.integers(0, 65536, (job["height"], job["width"] * channels)).astype(">u2")
        rows = b"".join(b"\0" + row.tobytes() for row in samples)
        kind = {1: 0, 2: 4, 3: 2, 4: 6}[channels]

        header = struct.pack(">IIBBBBB", job["width"], job["height"], 16, kind, 0, 0, 0)
        return (
            b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header) + png_chunk(b"IDAT", zlib.compress(rows)) + png_chunk(b"IEND", b"")
        )

    return encode


def png_interlaced(job):
    """Adam7; Pillow doesn't write it."""
    pixels = canvas(job["width"], job["height"], job["seed"])
    rows = b""
    for x0, y0, dx, dy in [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]:
        part = pixels[y0::dy, x0::dx]
        if part.size:
            rows += b"".join(b"\0" + row.tobytes() for row in part)

    header = struct.pack(">IIBBBBB", job["width"], job["height"], 8, 2, 0, 0, 1)
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header) + png_chunk(b"IDAT", zlib.compress(rows)) + png_chunk(b"IEND", b"")


def png_chunk(name, body):
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def with_png_chunks(data, *chunks):
    """Chunks behind IHDR."""
    return data[:33] + b"".join(png_chunk(name, body) for name, body in chunks) + data[33:]


def png_described(mode):
    """Chunks that tell how colours are meant, which Pillow leaves to whoever wants to know."""

    def encode(job):
        channels = {"RGB": 3, "RGBA": 4, "L": 1, "LA": 2}[mode]
        profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("XYZ")).tobytes()
        return with_png_chunks(
            png(mode)(job),
            (b"gAMA", struct.pack(">I", 100_000)),
            (b"cHRM", struct.pack(">8I", 20_000, 30_000, 70_000, 20_000, 20_000, 70_000, 10_000, 10_000)),
            (b"sBIT", bytes([3] * channels)),
            (b"iCCP", b"wide\0\0" + zlib.compress(profile)),
            (b"bKGD", bytes([0, 200] * (3 if channels > 2 else 1))),
            (b"pHYs", struct.pack(">IIB", 1, 2, 0)),
        )

    return encode


def exif_profile(job):
    """An EXIF block as ImageMagick writes it into texts: a name, a length and hexadecimal digits."""
    exif = Image.Exif()
    exif[0x010E] = "a picture " * 20
    exif[0x0112] = job["orientation"]
    digits = exif.tobytes().hex()
    lines = [digits[start : start + 72] for start in range(0, len(digits), 72)]
    return "\n".join(["", "exif", f"{len(digits) // 2:8}", *lines, ""]).encode()


def png_exif_profile(job):
    body = b"Raw profile type exif\0\0" + zlib.compress(exif_profile(job))
    return with_png_chunks(png("RGB")({**job, "orientation": 1}), (b"zTXt", body))


def png_exif_profile_plain(job):
    body = b"Raw profile type exif\0" + exif_profile(job)
    return with_png_chunks(png("RGB")({**job, "orientation": 1}), (b"tEXt", body))


def png_xmp(is_compressed):
    def encode(job):
        packet = b"<x>" + b" " * 3000 + b"<tiff:Orientation>%d</tiff:Orientation></x>" % job["orientation"]
        text = b"\1\0en\0\0" + zlib.compress(packet) if is_compressed else b"\0\0\0\0" + packet
        return with_png_chunks(png("RGB")({**job, "orientation": 1}), (b"iTXt", b"XML:com.adobe.xmp\0" + text))

    return encode


def png_text_bomb(job):
    return with_png_chunks(png("RGB")(job), (b"zTXt", b"XML:com.adobe.xmp\0\0" + zlib.compress(bytes(10_000_000))))


def png_contradicting(job):
    """EXIF goes before its profile in a text, and that before XMP."""
    wrong = {**job, "orientation": job["orientation"] % 8 + 1}
    texts = (b"zTXt", b"Raw profile type exif\0\0" + zlib.compress(exif_profile(wrong))), (
        b"iTXt",
        b'XML:com.adobe.xmp\0\0\0\0\0<x tiff:Orientation="%d"/>' % wrong["orientation"],
    )
    if job["orientation"] == 1:
        # Pillow's encoder leaves that one out.
        return with_png_chunks(png("RGB")(job), (b"eXIf", exif_profile_block(1)), *texts)
    return with_png_chunks(png("RGB")(job), *texts)


def exif_profile_block(orientation):
    return b"MM\0*\0\0\0\x08\0\1" + struct.pack(">HHIHHI", 0x0112, 3, 1, orientation, 0, 0)


def gif_frame(picture, left, top, control=b""):
    """A frame with a palette of its own, cut out of a GIF by Pillow."""
    out = io.BytesIO()
    picture.save(out, format="GIF")
    data = out.getvalue()
    colors = data[10] & 7
    palette = data[13 : 13 + (6 << colors)]
    start = 13 + len(palette)
    while data[start] == 0x21:
        start += 2
        while data[start]:
            start += 1 + data[start]
        start += 1
    interlaced = data[start + 9] & 0x40
    descriptor = struct.pack("<HH", left, top) + data[start + 5 : start + 9] + bytes([0x80 | interlaced | colors])
    return control + b"," + descriptor + palette + data[start + 10 : -1]


def gif_on_screen(width, height, *frames, control=b""):
    """Frames of left, top, width and height on a screen; a picture of the job's size where there are none."""

    def encode(job):
        places = frames or [(3, 2, job["width"], job["height"])]
        data = b"GIF89a" + struct.pack("<HHBBB", width, height, 0, 0, 0)
        for index, (left, top, columns, rows) in enumerate(places):
            part = {**job, "seed": job["seed"] + index, "width": columns, "height": rows}
            data += gif_frame(image(part, "P"), left, top, control)
        return data + b";"

    return encode


def gif_of_any_shape(job):
    """Two frames somewhere on a screen of the job's size, the first within it."""
    random = np.random.default_rng(job["seed"])
    width, height = job["width"], job["height"]
    columns, rows = int(random.integers(1, width + 1)), int(random.integers(1, height + 1))
    left, top = int(random.integers(0, width - columns + 1)), int(random.integers(0, height - rows + 1))
    other = [int(random.integers(low, high)) for low, high in [(0, 2 * width), (0, 2 * height), (1, 60), (1, 60)]]
    flags = int(random.integers(0, 2)) | int(random.integers(0, 5)) << 2
    control = b"!\xf9\4" + bytes([flags, 0, 0, int(random.integers(0, 40)), 0])
    return gif_on_screen(
        width, height, (left, top, columns, rows), other, control=control if random.integers(0, 3) else b""
    )(job)


def webp_animation_described(job):
    """With everything that can be said about a picture."""
    exif = Image.Exif()
    exif[0x0112] = job["orientation"]
    frames = [image({**job, "seed": job["seed"] + i}, "RGBA") for i in range(3)]
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("XYZ")).tobytes()
    out = io.BytesIO()
    frames[0].save(
        out, format="WEBP", save_all=True, append_images=frames[1:], exif=exif, xmp=b"<x/>", icc_profile=profile
    )
    return out.getvalue()


def logo(mode, **options):
    """A disc of #c81e28, or its grey, on nothing; what is behind nothing is black."""

    def encode(job):
        y, x = np.mgrid[0 : job["height"], 0 : job["width"]]
        inside = np.hypot(x / job["width"] - 0.5, y / job["height"] - 0.5) < 0.3
        pixels = np.zeros((job["height"], job["width"], 4), np.uint8)
        pixels[inside] = (200, 30, 40, 255)
        if mode == "LA":
            picture = Image.fromarray(np.ascontiguousarray(pixels[..., [0, 3]]))
        elif mode == "P":
            picture = Image.fromarray(inside.astype(np.uint8)).convert("P")
            picture.putpalette([0, 0, 0, 200, 30, 40])
        else:
            picture = Image.fromarray(pixels)
        return save(picture, job, **options)

    return encode


def gif_transparent(job):
    return save(image(job, "P"), {**job, "orientation": 1}, format="GIF", transparency=3)


def gif_small_frame(job):
    """The first frame covers only a part of the screen."""
    data = bytearray(save(image(job, "P"), {**job, "orientation": 1}, format="GIF"))
    data[6:10] = struct.pack("<HH", job["width"] + 7, job["height"] + 5)
    return bytes(data)


def gif_large_frame(job):
    """The first frame is larger than the screen."""
    data = bytearray(save(image(job, "P"), {**job, "orientation": 1}, format="GIF"))
    data[6:10] = struct.pack("<HH", max(job["width"] - 3, 1), max(job["height"] - 2, 1))
    return bytes(data)


def animation(format):
    def encode(job):
        frames = [image({**job, "seed": job["seed"] + i}, "RGB") for i in range(3)]
        if format == "GIF":
            frames = [frame.quantize(50) for frame in frames]
        out = io.BytesIO()
        frames[0].save(out, format=format, save_all=True, append_images=frames[1:], duration=100)
        return out.getvalue()

    return encode


PICTURES = {
    "jpeg-420": jpeg(subsampling="4:2:0"),
    "jpeg-422": jpeg(subsampling="4:2:2"),
    "jpeg-444": jpeg(subsampling="4:4:4"),
    "jpeg-gray": jpeg("L"),
    "jpeg-progressive": jpeg(progressive=True),
    "jpeg-restarts": jpeg(restart_marker_blocks=3),
    "jpeg-rgb": jpeg(keep_rgb=True),
    "jpeg-cmyk": jpeg("CMYK"),
    "jpeg-ycck": jpeg_ycck,
    "jpeg-xmp": jpeg_xmp,
    "png-rgb": png("RGB"),
    "png-rgba": png("RGBA"),
    "png-gray": png("L"),
    "png-gray-alpha": png("LA"),
    "png-palette": png("P"),
    "png-palette-transparent": png("P", transparency=bytes(range(0, 244, 4))),
    "png-one-bit": png("1"),
    "png-rgb-16": png_deep(3),
    "png-rgba-16": png_deep(4),
    "png-gray-alpha-16": png_deep(2),
    "png-gray-16": png_deep(1),
    "png-interlaced": png_interlaced,
    "png-described": png_described("RGB"),
    "png-described-alpha": png_described("RGBA"),
    "png-described-gray": png_described("L"),
    "png-exif-profile": png_exif_profile,
    "png-exif-profile-plain": png_exif_profile_plain,
    "png-xmp": png_xmp(is_compressed=False),
    "png-xmp-compressed": png_xmp(is_compressed=True),
    "png-text-bomb": png_text_bomb,
    "png-contradicting": png_contradicting,
    "webp-lossy": webp("RGB", quality=80),
    "webp-lossy-alpha": webp("RGBA", quality=80),
    "webp-lossless": webp("RGB", lossless=True),
    "webp-lossless-alpha": webp("RGBA", lossless=True),
    "webp-animation": animation("WEBP"),
    "webp-animation-described": webp_animation_described,
    "gif": lambda job: save(image(job, "P"), {**job, "orientation": 1}, format="GIF"),
    "gif-gray": lambda job: save(image(job, "L"), {**job, "orientation": 1}, format="GIF"),
    "gif-transparent": gif_transparent,
    "gif-small-frame": gif_small_frame,
    "gif-large-frame": gif_large_frame,
    "gif-animation": animation("GIF"),
    # Screens that some decoders take for mistakes.
    "gif-640-480": gif_on_screen(640, 480, (10, 20, 320, 240)),
    "gif-800-600": gif_on_screen(800, 600, (5, 6, 100, 80), (700, 500, 60, 70)),
    "gif-3000-20": gif_on_screen(3000, 20, (0, 0, 200, 20)),
    "gif-second-outside": gif_on_screen(50, 40, (1, 2, 30, 20), (40, 30, 60, 50)),
    "gif-of-any-shape": gif_of_any_shape,
    "gif-transparent-part": gif_on_screen(110, 70, control=b"!\xf9\4\x0d\0\0\3\0"),
    "logo-png": logo("RGBA", format="PNG"),
    "logo-png-gray": logo("LA", format="PNG"),
    "logo-png-palette": logo("P", format="PNG", transparency=0),
    "logo-webp": logo("RGBA", format="WEBP", quality=90),
    "logo-webp-lossless": logo("RGBA", format="WEBP", lossless=True),
    "logo-gif": logo("P", format="GIF", transparency=0),
    "tiff": tiff("RGB", compression="tiff_lzw"),
    "tiff-cmyk": tiff("CMYK"),
}


def prepare(data, job):
    picture = ImageOps.exif_transpose(Image.open(io.BytesIO(data)))
    if picture.mode == "I;16":
        # convert("RGB") would clip at 255 and leave a white picture.
        picture = Image.fromarray((np.asarray(picture) >> 8).astype(np.uint8))
    picture = picture.convert("RGB")
    width, height = picture.size
    resize = job["resize"]
    if isinstance(resize, list):
        size = tuple(resize)
    elif width <= height:
        size = (resize, int(resize * height / width))
    else:
        size = (int(resize * width / height), resize)
    picture = picture.resize(size, FILTERS[job["interpolation"]])
    crop_width, crop_height = job["crop"]
    left = int(round((size[0] - crop_width) / 2.0))
    top = int(round((size[1] - crop_height) / 2.0))
    return picture.crop((left, top, left + crop_width, top + crop_height)).tobytes()


def main():
    request = json.load(sys.stdin)
    directory = pathlib.Path(request["directory"])
    for index, job in enumerate(request["jobs"]):
        data = PICTURES[job["picture"]](job)
        (directory / f"{index}.file").write_bytes(data)
        if job["resize"] is not None:
            (directory / f"{index}.rgb").write_bytes(prepare(data, job))


main()
