//! Block-scaled arrays compared with the public implementations of their formats.

use tensor_layout::half::{bf16, f16};
use tensor_layout::quantized;
use tensor_layout::quantized::{
    DynQuantizedRef, Preset, QuantizedArray, QuantizedError, QuantizedLayout, QuantizedRef,
    QuantizedSpec,
};

/// The generator of `tests/golden/quantized/oracle.py`.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

/// The numbers of one array, as the script defines them.
fn numbers(array: u64, count: u64) -> Vec<f32> {
    let mut random = SplitMix(array);
    let base = (random.next() % 61) as i32;
    let power = |exponent: i32| 2f64.powi(exponent);
    let number = |at: u64| {
        let bits = random.next();
        let mantissa = (bits & 0xFF_FFFF) as i32 - 0x80_0000;
        let small = f64::from(((bits >> 24) % 33) as i32 - 16);
        let spread = ((bits >> 32) % 41) as i32;
        let zero = if bits & 1 == 1 { -0.0 } else { 0.0 };
        let whole = f64::from(mantissa);
        (match array % 12 {
            0..4 => whole * power(-24),
            4 => whole * power(base - 54 - spread / 4),
            5 => small * power(base % 9 - 5),
            6 if at == 0 => 8.0 * power(base % 3),
            6 => small * power(-2),
            7 => zero,
            8 if bits >> 60 == 0 => whole * power(-20),
            8 => zero,
            9 => whole * power(-35 - base % 13),
            10 => f64::from(mantissa >> 4) * power(-149 + base % 8),
            _ if at == base as u64 % count => whole * power(-10),
            _ => whole * power(-24),
        }) as f32
    };
    (0..count).map(number).collect()
}

fn largest(values: &[f32]) -> f32 {
    values.iter().fold(0.0, |largest, x| largest.max(x.abs()))
}

/// Whether the public implementation defines the bytes; the script says why it may not.
fn is_defined(preset: Preset, values: &[f32]) -> bool {
    let amax = largest(values);
    // The scale is a finite `f16`, and its inverse a finite `f32`.
    let fits = |step: f32| step > 2f64.powi(-128) as f32 && step < 65520.0;
    match preset {
        Preset::Q8_0 => amax == 0.0 || fits(amax / 127.0),
        Preset::Q4_0 => amax == 0.0 || fits(amax / 8.0),
        Preset::Mxfp4Gguf if amax > 0.0 => {
            // The logarithm in `f32` may be rounded up to the next exponent.
            let exponent = f64::from(amax).log2() as f32;
            amax >= 2f32.powi(-125) && f64::from(amax) >= 2f64.powi(exponent.floor() as i32)
        }
        Preset::Nvfp4Gguf => amax / 6.0 <= 464.0,
        _ => true,
    }
}

#[test]
fn bytes_are_those_of_the_public_implementations() {
    let golden = include_str!("../golden/quantized/blocks.txt");
    macro_rules! check {
        ($($preset:ident $rows:literal $columns:literal;)*) => { $( {
            type Layout = quantized!($preset[$rows, $columns]);
            let preset = Layout::SPEC.preset().expect("a preset");
            assert_eq!(preset.name(), stringify!($preset));
            let (mut hash, mut left_out) = (0xCBF2_9CE4_8422_2325_u64, 0);
            let mut shown = 0;
            for array in 0..10_000 {
                let values = numbers(array, $rows * $columns);
                if !is_defined(preset, &values) {
                    left_out += 1;
                    continue;
                }
                let packed = Layout::pack(&values).expect("finite");
                let line = format!("{preset} {array} ");
                if let Some(hex) = golden.lines().find_map(|golden| golden.strip_prefix(&line)) {
                    let found: String =
                        packed.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
                    assert_eq!(found, hex, "{line}{values:?}");
                    shown += 1;
                }
                for byte in packed.as_bytes() {
                    hash = (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3);
                }
            }
            assert!(shown >= 40, "{preset}: {shown}");
            let all = format!("{preset} all {hash:016x} but {left_out}");
            assert!(golden.lines().any(|line| line == all), "{all}");
        } )* };
    }
    check! {
        q8_0 1 32; q4_0 1 32; mxfp4_gguf 1 32; mxfp4 1 32; mxfp8 1 32; mxfp8_e5m2 1 32; nvfp4 2 64;
        nvfp4_gguf 1 128;
    }
}

#[test]
fn packed_values_are_within_the_stated_bound() {
    for text in [
        "q8_0[1,128]",
        "q4_0[1,128]",
        "mxfp4_gguf[1,128]",
        "mxfp4[1,128]",
        "mxfp8[1,128]",
        "mxfp8_e5m2[1,128]",
        "nvfp4[1,128]",
        "nvfp4_gguf[1,128]",
        "s8[1,128] by f32[1,64]",
        "s4[1,128] by f16[1,32]",
        "f8e4m3fn[1,128] by f32[1,128]",
        "f8e5m2[1,128] by f16[1,64] in blocks",
        "f4e2m1fn[1,128] by f32[1,64] in blocks",
        "f4e2m1fn[1,128] by f8e4m3fn[1,16]",
    ] {
        let spec: QuantizedSpec = text.parse().expect("a layout");
        let mut worst: f64 = 0.0;
        for array in 0..2_000 {
            let values = numbers(array, 128);
            let mut codes = vec![0; spec.block_element_bytes()];
            let mut scale = vec![0; spec.scale().byte_width()];
            let mut unpacked = vec![0.0; spec.block()];
            let of_array = largest(&values);
            let unit = spec.tensor_scale_for(of_array);
            for block in values.chunks(spec.block()) {
                if spec.pack_block(block, unit, &mut codes, &mut scale).is_err() {
                    // Without a scale of the array, 448 is the largest scale; what is rounded to it is not rejected.
                    assert!(largest(block) / 6.0 > 464.0, "{text}: {block:?}");
                    continue;
                }
                spec.unpack_block(&codes, &scale, unit, &mut unpacked);
                let bound = f64::from(spec.error_bound(largest(block), of_array));
                for (x, packed) in block.iter().zip(&unpacked) {
                    let error = (f64::from(*x) - f64::from(*packed)).abs();
                    assert!(error <= bound, "{text}: {x:e} becomes {packed:e}, bound {bound:e}");
                    if largest(block) > 1e-3 {
                        worst = worst.max(error / bound);
                    }
                }
            }
        }
        // The bound is close to the actual error.
        assert!(worst > 0.7, "{text}: {worst}");
    }
}

#[test]
fn the_last_size_may_be_a_name() {
    const K: usize = 128;
    fn bytes<const COLUMNS: usize>() -> usize {
        <quantized!(nvfp4_gguf[2, COLUMNS])>::BYTES
    }
    macro_rules! check {
        ($($preset:ident)*) => { $(
            let literal: QuantizedSpec =
                concat!(stringify!($preset), "[3,128]").parse().expect("a layout");
            assert_eq!(<quantized!($preset[3, K])>::SPEC, literal);
            assert_eq!(<quantized!($preset[3, {K}])>::SPEC, literal);
        )* };
    }
    check! { q8_0 q4_0 mxfp4_gguf mxfp4 mxfp8 mxfp8_e5m2 nvfp4 nvfp4_gguf }
    type Scaled = quantized!(f4e2m1fn[3, K] by f8e4m3fn[1,16] in blocks);
    assert_eq!(Scaled::SPEC, <quantized!(nvfp4_gguf[3,128])>::SPEC);
    assert_eq!(bytes::<192>(), 2 * 3 * 36);
}

#[test]
fn what_has_no_scale_is_an_error() {
    type Weights = quantized!(q8_0[2,32]);
    let mut values = [1.0_f32; 64];
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        values[40] = bad;
        let error = Weights::pack(&values).expect_err("not finite");
        assert_eq!(
            error.to_string(),
            "the value at position 40 of the row-major array is not finite, so its block of \
             `s8[2,32] by f16[1,32] in blocks` has no scale"
        );
    }
    values[40] = 1e7;
    let error = Weights::pack(&values).expect_err("too large");
    assert!(matches!(error, QuantizedError::ScaleOverflow { position: 32, .. }), "{error}");
    values[40] = 127.0 * 65504.0;
    assert_eq!(Weights::pack(&values).expect("the largest scale").get([1, 8]), 127.0 * 65504.0);

    let error = Weights::pack(&values[1..]).expect_err("too few");
    assert!(matches!(error, QuantizedError::RowMajorLength { actual: 63, expected: 64, .. }));
    let error = QuantizedRef::<Weights>::from_bytes(&[0; 67]).expect_err("too few bytes");
    assert!(matches!(error, QuantizedError::PackedLength { actual: 67, expected: 68, .. }));
    let packed = Weights::pack(&values).expect("finite");
    let error = packed.matmul(&[1.0_f32; 33]).expect_err("not whole rows");
    assert!(matches!(error, QuantizedError::Activations { actual: 33, columns: 32, .. }));
    let error = packed.matmul_into(&[1.0_f32; 32], &mut [0.0; 3]).expect_err("another size");
    assert!(matches!(error, QuantizedError::ResultLength { actual: 3, expected: 2, .. }));
}

#[test]
fn blocks_are_arranged_as_documented() {
    // Scale 1, so that the codes are the numbers: 0..31 less 8 in 4 bits, clamped to their range.
    let values: Vec<f32> = (0..32).map(|n| (n % 16 - 8) as f32).collect();
    type Blocks = quantized!(q4_0[1,32]);
    let packed = Blocks::pack(&values).expect("finite");
    // 1 as `f16`; element i and i + 16, which are equal, in one byte.
    assert_eq!(packed.as_bytes()[..2], [0x00, 0x3C]);
    let expected: Vec<u8> = (0..16).map(|n| n | n << 4).collect();
    assert_eq!(packed.as_bytes()[2..], expected);
    assert_eq!(packed.unpack(), values);

    type Planes = quantized!(s4[1,32] by f16[1,32] in planes);
    let packed = Planes::pack(&values).expect("finite");
    // Two's complement of -8, -7 and so on, pair after pair; then the scale.
    let expected: Vec<u8> =
        (0..16_u8).map(|n| ((2 * n) ^ 8) & 15 | ((2 * n + 1) ^ 8) << 4).collect();
    assert_eq!(packed.as_bytes()[..16], expected);
    assert_eq!(packed.as_bytes()[16..], [[0; 48].as_slice(), &[0x00, 0x3C]].concat());
    assert_eq!(packed.unpack(), values);
    assert_eq!(packed.get([0, 9]), 1.0);

    type Nvidia = quantized!(nvfp4[3,4,48]);
    assert_eq!(Nvidia::SPEC.rows(), 12);
    // 288 bytes of elements end at 320, 36 scales at 384; one `f32`.
    assert_eq!(Nvidia::BYTES, 320 + 64 + 4);
    let values: Vec<f32> = (0..3 * 4 * 48).map(|n| ((n * 7) % 13) as f32 / 2.0 - 3.0).collect();
    let packed = Nvidia::pack(&values).expect("finite");
    let unpacked = packed.unpack();
    for (at, value) in unpacked.iter().enumerate() {
        let index = [at / 192, at / 48 % 4, at % 48];
        assert_eq!(packed.get(index).to_bits(), value.to_bits(), "{index:?}");
    }
    let mut rows = vec![0.0; 2 * 48];
    packed.rows(3..7).rows(2..4).unpack_into(&mut rows).expect("sized");
    assert_eq!(rows, unpacked[5 * 48..7 * 48]);
    assert!(packed.rows(1..2).unpack_into(&mut rows).is_err());
    let of_bf16 = values.iter().map(|x| bf16::from_f32(*x)).collect::<Vec<_>>();
    let of_f16 = values.iter().map(|x| f16::from_f32(*x)).collect::<Vec<_>>();
    assert_eq!(Nvidia::pack(&of_bf16).expect("finite").as_bytes(), packed.as_bytes());
    assert_eq!(Nvidia::pack(&of_f16).expect("finite").as_bytes(), packed.as_bytes());
    assert_eq!(packed.as_bytes().as_ptr().addr() % QuantizedArray::<Nvidia>::ALIGN, 0);
}

#[test]
fn an_array_may_be_empty() {
    type NoColumns = quantized!(q8_0[3,0]);
    type NoRows = quantized!(nvfp4[0,32]);
    let none = NoColumns::pack::<f32>(&[]).expect("empty");
    assert_eq!((none.as_bytes().len(), none.unpack().len()), (0, 0));
    assert_eq!(none.matmul::<f32>(&[]).expect("empty"), [0.0_f32; 0]);
    assert!(none.matmul(&[1.0_f32]).is_err());
    let none = NoRows::pack::<f32>(&[]).expect("empty");
    assert_eq!(none.matmul(&[1.0_f32; 64]).expect("empty"), [0.0_f32; 0]);
}

#[test]
fn texts_are_read_and_printed() {
    for preset in Preset::ALL {
        let text = format!("{preset}[2,64]");
        let spec: QuantizedSpec = text.parse().expect("a preset");
        assert_eq!(Ok(spec), spec.to_string().parse());
        assert_eq!(spec.preset(), Some(preset), "{text}");
    }
    type Written = quantized!(s8[64,64] by f16[1,32] in blocks);
    let same: fn() -> Option<Written> = || None::<quantized!(Q8_0[64,64])>;
    assert!(same().is_none());
    assert_eq!(<Written as QuantizedLayout>::SPEC.to_string().parse(), Ok(Written::SPEC));
    for (text, mistake) in [
        ("q9_0[64]", "1:1: unknown preset or element type `q9_0` (help: did you mean `q8_0`?)"),
        (
            "q8_0",
            "1:5: expected `[`, found the end (help: the sizes follow in brackets: `q8_0[4096,4096]`)",
        ),
        (
            "q8_0[2,33]",
            "1:8: the last dimension has size 33, which is not a multiple of the block of 32 (help: pad the rows with zeros: did you mean 64?)",
        ),
        ("q8_0[]", "1:5: a scalar has no blocks (help: write the sizes: `q8_0[4096,4096]`)"),
        (
            "q8_0[N]",
            "1:6: expected an integer, found `N` (help: names and expressions are for the macros: write a number)",
        ),
        (
            "q8_0[-32]",
            "1:6: dimension 0 cannot have the negative size -32 (help: write the size, or a bound of it: `<=784`)",
        ),
        (
            "q8_0[32] by f16[32]",
            "1:10: `q8_0` already determines the scales (help: leave out what follows the sizes, or write `s8`)",
        ),
        (
            "q8_0[32]{0}",
            "1:9: a block-scaled array has no layout of its own (help: leave it out: the dimensions are in row-major order, and blocks extend along the last one)",
        ),
        (
            "s8[32] by f8e8m0fnu[32]",
            "1:11: `s8` cannot be scaled by `f8e8m0fnu` in planes (help: integers are scaled by `f16` or `f32`)",
        ),
        ("s8[32] by f17[32]", "1:11: unknown type of scales `f17` (help: did you mean `f16`?)"),
        (
            "s16[32] by f16[32]",
            "1:1: `s16` cannot be the element type of a block-scaled array (help: the types are `s8`, `s4`, `f8e4m3fn`, `f8e5m2` and `f4e2m1fn`)",
        ),
        (
            "s8[48] by f16[48]",
            "1:15: a block cannot have 48 elements (help: a block has 32, 64, 128 or 256 elements)",
        ),
        (
            "s8[4,32] by f16[32]",
            "1:16: the array has 2 sizes, but its block 1 size (help: give the block one size for each dimension: `[1,32]`)",
        ),
        (
            "s8[4,32] by f16[2,32]",
            "1:17: a block extends along the last dimension only, but this size is 2 (help: write `1`)",
        ),
        (
            "s8[32] by f16[32] by f32",
            "1:22: with scales of `f16`, the whole array has no scale (help: leave `by f32` out: it accompanies scales of `f8e4m3fn`, as in `nvfp4`)",
        ),
        (
            "f4e2m1fn[32] by f8e4m3fn[16] by f16",
            "1:33: the scale of the whole array cannot be `f16` (help: write `f32`)",
        ),
        (
            "s8[32] by f16[32] in rows",
            "1:22: expected `blocks` or `planes`, found `rows` (help: write `in blocks`, each scale before its elements, or `in planes`, all elements before all scales)",
        ),
        (
            "q8_0[9223372036854775807,32]",
            "1:5: the array takes more bytes than fit in the address space (help: no memory is large enough for this array: write the sizes of one device's part)",
        ),
    ] {
        let error = text.parse::<QuantizedSpec>().expect_err(text);
        assert_eq!(error.to_string(), mistake, "{text}");
    }
    let bare = "s8[32]".parse::<QuantizedSpec>().expect_err("no scales").to_string();
    assert!(
        bare.starts_with("1:7: expected `by`, found the end (help: the scales follow"),
        "{bare}"
    );
}

#[test]
fn foreign_bytes_are_multiplied_as_they_are() {
    // An `f8e4m3fn` code that is NaN, and a NaN scale: the result is NaN too.
    let spec: QuantizedSpec = "mxfp8[2,32]".parse().expect("a preset");
    let mut bytes = vec![0x38; spec.bytes()];
    bytes[64..].fill(127);
    let ones = [1.0_f32; 32];
    let product = |bytes: &[u8]| {
        let weights = DynQuantizedRef::new(spec, bytes).expect("sized");
        weights.matmul(&ones).expect("memory")
    };
    assert_eq!(product(&bytes), [32.0, 32.0]);
    bytes[5] = 0x7F;
    let found = product(&bytes);
    assert!(found[0].is_nan() && found[1] == 32.0);
    bytes[5] = 0x38;
    bytes[65] = 0xFF;
    let found = product(&bytes);
    assert!(found[0] == 32.0 && found[1].is_nan());
}
