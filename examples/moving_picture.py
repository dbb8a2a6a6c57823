"""Joins PNG pictures of one size into a moving one (APNG), which browsers play:

    python3 moving_picture.py OUT.png FPS FRAME.png...
"""
import struct
import sys
import zlib


def chunks(data):
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + size]
        at += 12 + size


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def main(out, fps, *frames):
    pictures = [list(chunks(open(name, "rb").read())) for name in frames]
    header = pictures[0][0][1]
    width, height = struct.unpack(">II", header[:8])
    result = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"acTL", struct.pack(">II", len(frames), 0))
    number = 0
    for i, picture in enumerate(pictures):
        if picture[0][1] != header:
            sys.exit(f"{frames[i]}: is not of the same size and kind as {frames[0]}")
        result += chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, width, height, 0, 0, 1, int(fps), 0, 0))
        number += 1
        pixels = zlib.compress(zlib.decompress(b"".join(d for k, d in picture if k == b"IDAT")), 9)
        if i == 0:
            result += chunk(b"IDAT", pixels)
        else:
            result += chunk(b"fdAT", struct.pack(">I", number) + pixels)
            number += 1
    open(out, "wb").write(result + chunk(b"IEND", b""))


main(*sys.argv[1:])
