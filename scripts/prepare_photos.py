"""Makes the large test photographs: prepare_photos.py WALLPAPERS PHOTOS

Each keeps its own pixel size and is encoded as cameras do: baseline, 4:2:0, quality 90. One stays the
progressive file that its author published, because progressive files take another way through the decoder.
"""

import pathlib
import shutil
import sys

from PIL import Image

PHOTOGRAPHS = {
    "bridge": "Bridge_by_Sander_Klootwijk.jpg",  # 4352 x 2448
    "dragonfly": "Dragonfly_by_Bolly.jpg",  # 4224 x 3168
    "wine": "Wine_by_Jakkub_Mede.jpg",  # 2560 x 3837
    "mountain": "picosdeeuropa_by_Aitzol_Berasategi.jpg",  # 3264 x 2448
    "dandelion": "seeding_by_Clements_Engelhardt.jpg",  # 5312 x 2988
    "sunset": "sunset_by_Aitzol_Berasategi.jpg",  # 4272 x 2848
    "nuthatch": "Kleiber_by_Lukas_Baubkus.jpg",  # 6028 x 3391
}
PROGRESSIVE = "dragonfly"


def main(wallpapers: pathlib.Path, photos: pathlib.Path) -> None:
    for name, source in PHOTOGRAPHS.items():
        with Image.open(wallpapers / source) as image:
            image.convert("RGB").save(photos / f"{name}.jpg", quality=90, subsampling="4:2:0")
    shutil.copyfile(wallpapers / PHOTOGRAPHS[PROGRESSIVE], photos / f"{PROGRESSIVE}-progressive.jpg")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
