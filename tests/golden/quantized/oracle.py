"""Writes blocks.txt: the bytes of random blocks in the public block-scaled formats.

    pip install gguf==0.19.0 ml_dtypes==0.6.0 numpy
    python oracle.py > blocks.txt

`q8_0`, `q4_0` and `mxfp4_gguf` are what `gguf.quants.quantize` writes. `mxfp4` and `mxfp8` follow OCP Microscaling
Formats 1.0, section 6.3, with the conversions of ml_dtypes, which rounds to nearest, ties to even; `nvfp4` follows NVIDIA's
recipe: a scale of amax / (6 * 448) for the whole array, then scales of amax / 6 in units of it, for blocks of 16. gguf only reads
its own NVFP4: `nvfp4_gguf` has the scales of gguf's `NVFP4.fp32_to_ue4m3(amax / 6)` and the elements nearest to the numbers, the first of
its `kvalues` that are, as in gguf's MXFP4; the script checks that gguf reads what it writes.

A line is a format, the number of an array and its bytes; the last line of a format has the FNV-1a hash of the bytes of all
arrays. An array is one row of 32 numbers, of nvfp4 two rows of 64, of nvfp4_gguf one row of 128. `numbers` says which numbers they are; the test computes the
same ones.

Left out where gguf's result is not defined by its C source, or is not finite, by a rule that depends on the numbers alone; the test skips the
same arrays:
- q4_0 and q8_0, where 1 / scale overflows, so that an infinity is converted to an integer, and where the scale becomes an
  infinite f16, which packing rejects;
- mxfp4_gguf, where the exponent is below that of the smallest scale, so that a negative number is converted to an unsigned one, and
  where the logarithm in f32 rounds up to the next integer;
- nvfp4_gguf, where amax / 6 of a block is larger than 464, so that its scale saturates, and packing rejects it.
"""

import gguf
import ml_dtypes
import numpy as np
from gguf.quants import quantize

ARRAYS = 10_000
SHOWN = 48
MASK = (1 << 64) - 1


def splitmix(state):
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def numbers(array, count):
    """Numbers of one array, by the class of its number modulo 12. Each is a whole number of up to 24 bits times a power of two."""
    kind = array % 12
    random = splitmix(array)
    base = next(random) % 61
    values = []
    for at in range(count):
        bits = next(random)
        mantissa = ((bits & 0xFFFFFF) - 0x800000)
        small = ((bits >> 24) % 33) - 16
        spread = (bits >> 32) % 41
        if kind < 4:            # plain weights
            value = mantissa * 2.0 ** -24
        elif kind == 4:         # any exponent near a common one
            value = mantissa * 2.0 ** (base - 54 - spread // 4)
        elif kind == 5:         # whole and half numbers: ties
            value = small * 2.0 ** (base % 9 - 5)
        elif kind == 6:         # ties of quarters below a power of two
            value = small * 2.0 ** -2 if at else 8.0 * 2.0 ** (base % 3)
        elif kind == 7:         # zeros of both signs
            value = -0.0 if bits & 1 else 0.0
        elif kind == 8:         # zeros and few others
            value = mantissa * 2.0 ** -20 if bits >> 60 == 0 else (-0.0 if bits & 1 else 0.0)
        elif kind == 9:         # subnormal scales of f16
            value = mantissa * 2.0 ** (-35 - base % 13)
        elif kind == 10:        # subnormal numbers
            value = (mantissa >> 4) * 2.0 ** (-149 + base % 8)
        else:                   # one large number
            value = mantissa * 2.0 ** -24 if at != base % count else mantissa * 2.0 ** -10
        values.append(value)
    return np.array(values, dtype=np.float64).astype(np.float32)


def of_gguf(kind):
    def bytes_of(x):
        with np.errstate(all="ignore"):
            return quantize(x.reshape(1, -1), kind).tobytes()

    return bytes_of


def exponent(amax):
    return int(np.frexp(np.float64(amax))[1]) - 1


def pairs(codes):
    codes = codes.view(np.uint8)
    return (codes[..., 0::2] | (codes[..., 1::2] << 4)).tobytes()


def aligned(data):
    return data + bytes(-len(data) % 64)


def mx(dtype, emax, largest):
    def bytes_of(x):
        amax = np.abs(x).max()
        power = -127 if amax == 0 else max(-127, min(127, exponent(amax) - emax))
        scaled = np.clip(x.astype(np.float64) * 2.0 ** -power, -largest, largest).astype(np.float32)
        codes = scaled.astype(dtype)
        elements = pairs(codes) if dtype is ml_dtypes.float4_e2m1fn else codes.tobytes()
        return aligned(elements) + bytes([power + 127])

    return bytes_of


def nvfp4(x):
    one = np.float32
    unit = one(np.abs(x).max() / one(6.0 * 448.0))
    blocks = x.reshape(-1, 16)
    codes, scales = [], []
    for block in blocks:
        below = one(one(6.0) * unit)
        quotient = one(0.0) if below == 0 else one(np.abs(block).max() / below)
        scale = min(quotient, one(448.0)).astype(ml_dtypes.float8_e4m3fn)
        step = one(scale.astype(np.float32) * unit)
        quotients = np.zeros(16, np.float32) if step == 0 else np.clip(block / step, -6, 6).astype(np.float32)
        codes.append(quotients.astype(ml_dtypes.float4_e2m1fn))
        scales.append(scale)
    elements = pairs(np.concatenate(codes))
    return aligned(aligned(elements) + np.array(scales).tobytes()) + unit.tobytes()


def nvfp4_gguf(x):
    of = gguf.quants.NVFP4
    kvalues = np.array(of.kvalues, dtype=np.float32)
    data, numbers = b"", []
    for together in x.reshape(-1, 4, 16):
        scales = of.fp32_to_ue4m3(np.abs(together).max(axis=1) / np.float32(6))
        elements = b""
        for block, step in zip(together, of.ue4m3_to_fp32(scales)):
            codes = np.abs(block[:, None] - kvalues[None, :] * step).argmin(axis=1).astype(np.uint8)
            elements += (codes[:8] | codes[8:] << 4).tobytes()
            numbers.append(kvalues[codes] * step)
        data += scales.tobytes() + elements
    read = of.dequantize_blocks(np.frombuffer(data, np.uint8).reshape(-1, 36))
    assert (read.ravel() == np.concatenate(numbers)).all()
    return data


def is_defined(name, x):
    amax = np.abs(x).max()
    if name in ("q4_0", "q8_0"):
        step = np.float32(amax / np.float32(8 if name == "q4_0" else 127))
        return amax == 0 or np.float32(2.0 ** -128) < step < 65520
    if name == "mxfp4_gguf" and amax > 0:
        return amax >= 2.0 ** -125 and np.floor(np.log2(amax)) == exponent(amax)
    if name == "nvfp4_gguf":
        return amax / np.float32(6) <= 464
    return True


FORMATS = {
    "q8_0": (32, of_gguf(gguf.GGMLQuantizationType.Q8_0)),
    "q4_0": (32, of_gguf(gguf.GGMLQuantizationType.Q4_0)),
    "mxfp4_gguf": (32, of_gguf(gguf.GGMLQuantizationType.MXFP4)),
    "mxfp4": (32, mx(ml_dtypes.float4_e2m1fn, 2, 6.0)),
    "mxfp8": (32, mx(ml_dtypes.float8_e4m3fn, 8, 448.0)),
    "mxfp8_e5m2": (32, mx(ml_dtypes.float8_e5m2, 15, 57344.0)),
    "nvfp4": (128, nvfp4),
    "nvfp4_gguf": (128, nvfp4_gguf),
}

for name, (count, bytes_of) in FORMATS.items():
    hash, left_out = 0xCBF29CE484222325, 0
    for array in range(ARRAYS):
        x = numbers(array, count)
        if not is_defined(name, x):
            left_out += 1
            continue
        data = bytes_of(x)
        if array < SHOWN:
            print(name, array, data.hex())
        for byte in data:
            hash = ((hash ^ byte) * 0x100000001B3) & MASK
    print(name, "all", f"{hash:016x}", "but", left_out)
