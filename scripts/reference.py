"""The vectors that the service is measured against: reference.py [--model FOLDER] [--pixels] IMAGE...

Prints a JSON line an image, in order: {"file", "embedding"}, or {"file", "error"} where Pillow can't read it. With
--pixels also "pixels": what the model was given, as base64 of 8-bit RGB, row by row.

Everything here is the plain way through widely used libraries, Pillow and OpenVINO's Python package, following the
model's card: full decode, EXIF orientation, RGB, resize, centre crop, normalise, infer in float32.
"""

import argparse
import base64
import json
import pathlib
from typing import Any

import numpy as np
import openvino
from PIL import Image, ImageOps

DEFAULT_MODEL = pathlib.Path(__file__).resolve().parent.parent / ".deps/models/efficientnet-lite0"
INTERPOLATIONS = {
    "bilinear": Image.Resampling.BILINEAR,
    "bicubic": Image.Resampling.BICUBIC,
    "lanczos": Image.Resampling.LANCZOS,
}


def load(path: pathlib.Path) -> Image.Image:
    """Decodes all of an image (its first frame) to upright RGB."""
    with Image.open(path) as image:
        return ImageOps.exif_transpose(image).convert("RGB")


def resized_size(size: tuple[int, int], rule: dict[str, Any]) -> tuple[int, int]:
    """Follows torchvision: the shorter side becomes n, the longer int(n * longer / shorter)."""
    if "exact" in rule:
        return rule["exact"]["width"], rule["exact"]["height"]
    target = rule["shorterSide"]
    width, height = size
    if width <= height:
        return target, int(target * height / width)
    return int(target * width / height), target


def prepare(image: Image.Image, recipe: dict[str, Any]) -> Image.Image:
    """Resizes and centre-crops. An odd margin is split by Python's round, which prefers the even offset."""
    image = image.resize(resized_size(image.size, recipe["resize"]), INTERPOLATIONS[recipe["interpolation"]])
    width, height = recipe["crop"]["width"], recipe["crop"]["height"]
    left = round((image.width - width) / 2)
    top = round((image.height - height) / 2)
    return image.crop((left, top, left + width, top + height))


class Model:
    """A model folder, compiled for float32 whatever the machine would rather use."""

    def __init__(self, folder: pathlib.Path):
        self.card = json.loads((folder / "card.json").read_text())
        self.compiled = openvino.Core().compile_model(
            folder / "model.onnx", "CPU", {"INFERENCE_PRECISION_HINT": "f32"}
        )

    def embed(self, pixels: np.ndarray) -> np.ndarray:
        recipe, output = self.card["recipe"], self.card["output"]
        mean, std = np.float32(recipe["mean"]), np.float32(recipe["std"])
        normalised = (pixels.astype(np.float32) - mean) / std
        tensor = np.ascontiguousarray(normalised.transpose(2, 0, 1)[np.newaxis])
        vector = self.compiled(tensor)[output["name"]].reshape(-1).astype(np.float64)
        length = np.linalg.norm(vector)
        return vector / length if output["normalize"] and length > 0 else vector


def describe(path: pathlib.Path, model: Model, with_pixels: bool) -> dict[str, Any]:
    try:
        pixels = np.asarray(prepare(load(path), model.card["recipe"]))
    except (OSError, ValueError, SyntaxError) as error:  # Pillow reports broken PNG chunks as SyntaxError
        return {"file": str(path), "error": str(error)}
    line: dict[str, Any] = {"file": str(path), "embedding": model.embed(pixels).tolist()}
    if with_pixels:
        line["pixels"] = base64.b64encode(pixels.tobytes()).decode()
    return line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--model", type=pathlib.Path, default=DEFAULT_MODEL, help="a folder with model.onnx and card.json")
    parser.add_argument("--pixels", action="store_true", help="also print the prepared pixels")
    parser.add_argument("images", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    model = Model(arguments.model)
    for path in arguments.images:
        print(json.dumps(describe(path, model, arguments.pixels)), flush=True)


if __name__ == "__main__":
    main()
