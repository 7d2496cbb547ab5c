use crate::tiled::{Shape, TiledSpec};
use alloc::format;
use alloc::string::ToString;

/// Checks that each text has one mistake, with this help, and that what the help proposes can be read.
fn checks(cases: &[(&str, &str, &str)]) {
    for (text, message, help) in cases {
        let error = text.parse::<TiledSpec>().expect_err(text);
        let [mistake] = error.mistakes() else { panic!("{text}: {error}") };
        assert_eq!((mistake.message.as_str(), mistake.help.as_str()), (*message, *help), "{text}");
        let proposed = help.rsplit_once("` ").map_or(*help, |(_, last)| last).split('`').nth(1);
        if let Some(proposed) = proposed.filter(|text| text.contains('[')) {
            assert!(proposed.parse::<TiledSpec>().is_ok(), "{proposed}");
        }
    }
}

#[test]
fn what_is_pasted_from_elsewhere_is_translated() {
    let mlir = "expected an array as XLA writes it, found a type of MLIR";
    let hlo = "expected an array, found a line of HLO";
    let cute = "expected an array as XLA writes it, found a layout of CuTe";
    let call = "expected an array as XLA writes it, found a call";
    checks(&[
        ("tensor<128x256xf32>", mlir, "write `f32[128,256]`"),
        ("tensor<?x8xi1>", mlir, "write `pred[?,8]`"),
        ("memref<4xbf16>", mlir, "write `bf16[4]`"),
        ("tensor<f32>", mlir, "write `f32[]`"),
        ("8x128xbf16", mlir, "write `bf16[8,128]`"),
        ("?x8xi1", mlir, "write `pred[?,8]`"),
        (
            "\"f32[3,5]{1,0}\"",
            "expected an array, found a string",
            "write it without quotes: `f32[3,5]{1,0}`",
        ),
        (
            "%fusion.2 = f32[8,128]{1,0:T(8,128)} fusion(%p0, %p1), kind=kLoop",
            hlo,
            "write only the shape: `f32[8,128]{1,0:T(8,128)}`",
        ),
        ("ROOT %t = s8[4]{0} add(%a, %b)", hlo, "write only the shape: `s8[4]{0}`"),
        ("x = f32[3] tanh(y)", hlo, "write only the shape: `f32[3]`"),
        (
            "f32[8,128]{1,0} add(%a, %b)",
            "expected the end of the shape, found `add`",
            "write only the shape of a line of HLO: `f32[8,128]{1,0}`",
        ),
        ("F32(3,5)", "expected `[`, found `(`", "sizes go in brackets: `F32[3,5]`"),
        ("f32[128x256]{1,0}", "expected a size, found `128x256`", "write `128,256`"),
        ("torch.float32[3,5]", "the element type is written with a module", "write `f32`"),
        ("jnp.bfloat16[8]", "the element type is written with a module", "write `bf16`"),
        (
            "Tensor<f32, 3, 5>",
            "expected an array as XLA writes it, found a generic type",
            "write `f32[3,5]`",
        ),
        (
            "(3,5):(1,3)",
            "expected an array as XLA writes it, found a layout of CuTe",
            "write the element type before the sizes, and the order of the strides, least first: `f32[3,5]{0,1}`",
        ),
        ("f32((3,5),(5,1))", cute, "write `f32[3,5]{1,0}`"),
        (
            "Layout<Shape<_8,_128>, Stride<_1,_8>>",
            cute,
            "write the element type before the sizes, and the order of the strides, least first: `f32[8,128]{0,1}`",
        ),
        (
            "(128, 256), float32",
            "expected an array as XLA writes it, found its sizes first",
            "write `f32[128,256]`",
        ),
        (
            "f32[3,5] order=F",
            "expected the end of the shape, found `order`",
            "an order is a layout, `{1,0}` for C and `{0,1}` for Fortran",
        ),
        (
            "(_8,_4):(_4,_1)",
            cute,
            "write the element type before the sizes, and the order of the strides, least first: `f32[8,4]{1,0}`",
        ),
        (
            "f32[8,128]{1,0:T(8,128)} in VMEM",
            "expected the end of the shape, found `in`",
            "the memory is an attribute of the layout, `{1,0:S(1)}`: HBM needs no `S`, VMEM is `S(1)`, the host is `S(5)`",
        ),
        (
            "(3,5):(8,1)",
            cute,
            "write the element type before the sizes, and the order of the strides, least first: `f32[3,5]{1,0} padded to [3,8]`",
        ),
        (
            "(3,5):(4,1)",
            cute,
            "strides follow from the order of the dimensions, the one of stride 1 first, `{1,0}`; `padded to [3,8]` makes rows longer",
        ),
        ("torch.empty(3, 5, dtype=torch.float32)", call, "write `f32[3,5]`"),
        ("torch.zeros(3, 5)", call, "write `f32[3,5]`"),
        ("np.ones((3, 5))", call, "write `f64[3,5]`"),
        ("np.float32(3, 5)", call, "write `f32[3,5]`"),
        ("np.zeros((3, 5), np.int8, order=\"F\")", call, "write `s8[3,5]{0,1}`"),
        (
            "std::mdspan<float, std::extents<int, 3, 5>, std::layout_left>",
            "expected an array as XLA writes it, found a generic type",
            "write `f32[3,5]{0,1}`",
        ),
        (
            "std::mdspan<float, std::dextents<int, 2>>",
            "expected an array as XLA writes it, found a path",
            "an array is its element type, its sizes and its layout: `f32[3,5]{1,0}`",
        ),
        (
            "make_layout(make_shape(Int<8>{}, _4{}), make_stride(Int<4>{}, _1{}))",
            cute,
            "write the element type before the sizes, and the order of the strides, least first: `f32[8,4]{1,0}`",
        ),
        (
            "Layout<Shape<_8, Int<4>>>",
            cute,
            "write the element type before the sizes, and the order of the strides, least first: `f32[8,4]{0,1}`",
        ),
        (
            "cute.make_layout((8, 4), stride=(4, 1))",
            cute,
            "write the element type before the sizes, and the order of the strides, least first: `f32[8,4]{1,0}`",
        ),
        ("np.zeros(shape=(3, 5), dtype=np.int8)", call, "write `s8[3,5]`"),
        (
            "Vec<f32>[3,5]",
            "expected an array as XLA writes it, found a generic type",
            "write `f32[3,5]`",
        ),
        ("memref<8x128xf32, affine_map<(d0, d1) -> (d1, d0)>>", mlir, "write `f32[8,128]{0,1}`"),
        ("memref<8x128xf32, strided<[1, 8], offset: 0>>", mlir, "write `f32[8,128]{0,1}`"),
        ("ShapeDtypeStruct((8, 128), jnp.bfloat16)", call, "write `bf16[8,128]`"),
        ("ShapedArray(float32[8,128])", call, "write `f32[8,128]`"),
        (
            "[[f32; 5]; 3]",
            "expected an array as XLA writes it, found a type of Rust",
            "write `f32[3,5]`",
        ),
        (
            "memref<16x128xbf16, #tpu.tiled<(8,128)(2,1),[1,1]>, #tpu.memory_space<vmem>>",
            mlir,
            "write `bf16[16,128]{1,0:T(8,128)(2,1)S(1)}`",
        ),
        (
            "entry_computation_layout={(f32[8,128]{1,0})->f32[8]{0}}",
            hlo,
            "write only one of its arrays: `f32[8,128]{1,0}`",
        ),
        ("half[3,5]", "unknown element type `half`", "did you mean `f16`?"),
        ("f32[3,5]{1,O}", "expected a dimension, found `O`", "did you mean `0`?"),
        ("f32[3,5]{1,,0}", "expected a dimension, found `,`", "leave one `,` out"),
        ("f32[3,,5]", "expected an integer, found `,`", "leave the `,` out, or write a size"),
        (
            "f32[3,5]:[5,1]",
            "expected the end of the shape, found `:`",
            "instead of strides, write the order of the dimensions, the one of stride 1 first: `{1,0}`",
        ),
        (
            "f32[3,5]{ColumnMajor}",
            "expected the end of the shape, found `{`",
            "`{1,0}` is row-major, and `{0,1}` column-major",
        ),
        (
            "f32[3,5], column_major",
            "expected the end of the shape, found `,`",
            "`{1,0}` is row-major, and `{0,1}` column-major",
        ),
        (
            "f32[3,5]{1,0:T((8,128),(2,1))}",
            "the tiles of `T` are written side by side",
            "write `(8,128)(2,1)`",
        ),
        (
            "f32[3,5]{1,0:T(8,128),T(2,1)}",
            "expected an attribute or `}`, found `,`",
            "all tiles follow one `T`: `T(8,128)(2,1)`",
        ),
        (
            "f32[64,64]{1,0:Swizzle(3,4,3)}",
            "unknown attribute `Swizzle`",
            "layouts of XLA have no swizzle: leave it out",
        ),
        ("shape=[3,5], dtype=f32", "expected an array, found `shape`", "write `f32[3,5]`"),
        (
            "dtype=jnp.bfloat16, shape=(16, 128), layout={1,0:T(8,128)(2,1)}",
            "expected an array, found `dtype`",
            "write `bf16[16,128]{1,0:T(8,128)(2,1)}`",
        ),
        (
            "f32[32,64]{minor_to_major=[1,0], tiles=[(8,128)], memory_space=VMEM}",
            "expected the order of the dimensions, found `minor_to_major`",
            "write `{1,0:T(8,128)S(1)}`",
        ),
        (
            "bf16[32,64]{major_to_minor: (0, 1), tiling: ((8,128),(2,1))}",
            "expected the order of the dimensions, found `major_to_minor`",
            "write `{1,0:T(8,128)(2,1)}`",
        ),
        (
            "[8,128] bf16",
            "expected an array as XLA writes it, found its sizes first",
            "write `bf16[8,128]`",
        ),
        ("bf16<8,128>", "expected `[`, found `<`", "sizes go in brackets: `bf16[8,128]`"),
        ("f32[ROWS as usize,8]", "an expression needs braces", "write `{ROWS as usize}`"),
        (
            "f32[D*2,8]",
            "an expression needs braces",
            "write `{D*2}`; rustc does not compute with parameters: if `D` is one, the result needs a parameter of its own",
        ),
        ("f32[3,5]{1,0:S(\"vmem\")}", "a memory space is a number", "VMEM is `S(1)`"),
        (
            "*f16[128,64]",
            "expected an element type, found `*`",
            "leave the `*` out: an array is not a pointer",
        ),
        (
            "f32[3,5]{row_major}",
            "expected the end of the shape, found `{`",
            "`{1,0}` is row-major, and `{0,1}` column-major",
        ),
        (
            "f32[3,5]{\"1,0\"}",
            "expected the end of the shape, found `{`",
            "write it without quotes: `{1,0}`",
        ),
        (
            "f32[3,5]{0,1}:T(2,2)",
            "expected the end of the shape, found `:`",
            "attributes go in the braces of the layout: `f32[3,5]{0,1:T(2,2)}`",
        ),
        (
            "f32[3,5]:(5,1)",
            "expected the end of the shape, found `:`",
            "instead of strides, write the order of the dimensions, the one of stride 1 first: `{1,0}`",
        ),
        (
            "f32[3,5]{1,0}{0,1}",
            "expected the end of the shape, found `{`",
            "an array has one layout: leave one of them out",
        ),
        (
            "f32[3,5], order=C",
            "expected the end of the shape, found `,`",
            "an order is a layout, `{1,0}` for C and `{0,1}` for Fortran",
        ),
        (
            "f32[8,128], order=[1,0], tile=(8,128)",
            "a layout is written without keywords",
            "write `{1,0:T(8,128)}`",
        ),
        ("f32[3,5]{1,0:tile(2,2)}", "unknown attribute `tile`", "did you mean `T`?"),
        ("f32[3,5]{1,0:T(2x2)}", "expected a size, found `2x2`", "write `2,2`"),
        ("f32[3*2,5]", "an expression needs braces", "write `{3*2}`"),
        (
            "f32[None,5]",
            "expected a size, found `None`",
            "write a number or the name of a constant; a shape that is read at run time may have a `?`",
        ),
        ("f32[3,5];", "expected the end of the shape, found `;`", "leave the `;` out"),
    ]);
}

#[test]
fn layouts_in_the_spelling_of_no_one_are_understood() {
    let parentheses = "the value of `T` goes in parentheses";
    checks(&[
        ("f32[3,5]{1,0:T8,128}", parentheses, "write `T(8,128)`"),
        ("f32[3,5]{1,0:T[8,128]}", parentheses, "write `T(8,128)`"),
        ("f32[3,5]{1,0:T=8}", parentheses, "write `T(8)`"),
        ("f32[3,5]{1,0:T(8,128)S1}", "the value of `S` goes in parentheses", "write `S(1)`"),
        (
            "f32[3,5]{1,0:T(8,128),L(8),S(1)}",
            "expected an attribute or `}`, found `,`",
            "write nothing between two attributes: `T(8,128)S(1)`",
        ),
        (
            "f32[3,5]{1,0,T(8,128)}",
            "expected `:` or `}`, found `T`",
            "attributes follow a colon: `{1,0:T(8,128)}`",
        ),
        (
            "f32[3,5]{1,0 T(8,128)}",
            "expected `:` or `}`, found `T`",
            "attributes follow a colon: `{1,0:T(8,128)}`",
        ),
        (
            "f32[3,5]{1,0;T(8,128)}",
            "expected `:` or `}`, found `;`",
            "attributes follow a colon: `{1,0:T(8,128)}`",
        ),
        (
            "f32[3,5]{2,1:T(8,128)}",
            "dimension 2 does not exist: the array has 2 dimensions",
            "did you mean `{1,0}`?",
        ),
        (
            "f32[3,5]{1,2}",
            "dimension 2 does not exist: the array has 2 dimensions",
            "did you mean `{0,1}`?",
        ),
        (
            "f32[3,5]{1,0}, padded to [4,8]",
            "expected the end of the shape, found `,`",
            "leave the `,` out: `padded` follows the layout",
        ),
    ]);
}

#[test]
fn every_mistake_of_a_layout_is_found_at_once() {
    let found = |text: &str| text.parse::<TiledSpec>().expect_err(text).mistakes().len();
    assert_eq!(found("f32[3,5]{1,1:T(0,2)(3,*)L(0)E(4)S(300)Q(3)}"), 7);
    assert_eq!(found("f32[3 x,5]{1,0:T(2,x)(a+1,2)S(y)} padded to [2,q] with nan"), 6);
    assert_eq!(found("q32[3,5]{1,1:Z(1)Y(2)T(0)}"), 5);
    let tuple = "(f32[3]{1}, q8[2], s8[3]{0:T(0)S()})".parse::<Shape>().expect_err("a tuple");
    assert_eq!(tuple.mistakes().len(), 4, "{tuple}");
    let text = "f32[4294967296,4294967296,0]".parse::<TiledSpec>().expect_err("too large");
    assert!(text.to_string().contains("no elements, but its other sizes"), "{text}");
    let text = "f33[4]{0:E(3)}".parse::<TiledSpec>().expect_err("no type");
    assert!(!text.to_string().contains("u8"), "{text}");
}

/// The help for a text with one mistake.
fn help(text: &str) -> alloc::string::String {
    let error = text.parse::<TiledSpec>().expect_err(text);
    let [mistake] = error.mistakes() else { panic!("{text}: {error}") };
    mistake.help.clone()
}

#[test]
fn strides_of_mlir_are_translated_only_where_a_layout_has_them() {
    for (strides, layout) in [
        ("[5, 1]", "{1,0}"),
        ("[1, 3]", "{0,1}"),
        ("[8, 1]", "{1,0} padded to [3,8]"),
        ("[1, 4]", "{0,1} padded to [4,5]"),
        ("[8, 1], offset: ?", "{1,0} padded to [3,8]"),
    ] {
        let text = format!("memref<3x5xf32, strided<{strides}>>");
        assert_eq!(help(&text), format!("write `f32[3,5]{layout}`"));
        // The layout has the strides.
        let spec: TiledSpec = format!("f32[3,5]{layout}").parse().expect("a layout");
        let found = [spec.offset(&[1, 0]), spec.offset(&[0, 1])];
        assert!(strides.starts_with(&format!("[{}, {}]", found[0], found[1])), "{text}");
    }
    let memory = "memref<3x5xf32, strided<[8, 1]>, #tpu.memory_space<vmem>>";
    assert_eq!(help(memory), "write `f32[3,5]{1,0:S(1)} padded to [3,8]`");
    assert_eq!(help("memref<?x5xf32, strided<[5, 1]>>"), "write `f32[?,5]{1,0}`");
    assert_eq!(help("memref<3x1xf32, strided<[1, 7]>>"), "write `f32[3,1]{0,1}`");
    for attributes in [
        "strided<[?, 1]>",
        "strided<[?, ?], offset: ?>",
        "strided<[4, 1]>",
        "strided<[10, 2]>",
        "strided<[0, 1]>",
        "strided<[1, 1]>",
        "strided<[-5, 1]>",
        "strided<[5]>",
        "#map",
        "#map, 1",
    ] {
        let help = help(&format!("memref<3x5xf32, {attributes}>"));
        assert!(help.starts_with("its layout is not translated"), "{attributes}: {help}");
    }
    assert!(help("memref<?x5xf32, strided<[8, 1]>>").starts_with("its layout is not translated"));
}

#[test]
fn affine_maps_are_translated_only_where_a_layout_has_them() {
    for (map, layout) in [
        ("(d0, d1) -> (d0, d1)", "{1,0}"),
        ("(i, j) -> (j, i)", "{0,1}"),
        ("(d0, d1) -> (d0 floordiv 8, d1 floordiv 128, d0 mod 8, d1 mod 128)", "{1,0:T(8,128)}"),
        ("(d0, d1) -> (d1 floordiv 8, d0 floordiv 4, d1 mod 8, d0 mod 4)", "{0,1:T(8,4)}"),
        ("(d0, d1) -> (d0, d1 floordiv 128, d1 mod 128)", "{1,0:T(128)}"),
    ] {
        let written = help(&format!("memref<16x256xf32, affine_map<{map}>>"));
        assert_eq!(written, format!("write `f32[16,256]{layout}`"));
        let map = format!("memref<16x256xf32, affine_map<{map}>, #tpu.memory_space<vmem>>");
        let colon = if layout.contains(':') { "" } else { ":" };
        let layout = layout.replace('}', &format!("{colon}S(1)}}"));
        assert_eq!(help(&map), format!("write `f32[16,256]{layout}`"));
    }
    for map in [
        "(d0, d1) -> (d0 + d1, d1)",
        "(d0, d1) -> (d0 * 256 + d1)",
        "(d0, d1) -> (d0, d0)",
        "(d0, d1)[s0] -> (d0 + s0, d1)",
        "(d0, d1) -> (d0 floordiv 8, d1 floordiv 128, d1 mod 128, d0 mod 8)",
        "(d0, d1) -> (d0 floordiv 8, d1 floordiv 128, d0 mod 8, d1 mod 64)",
        "(d0, d1) -> (d0 floordiv 0, d1 floordiv 128, d0 mod 0, d1 mod 128)",
        "(d0, d1) -> (d0 floordiv 8, d1, d0 mod 8)",
        "(d0, d1) -> ()",
        "(d0, d1)",
        "",
    ] {
        let help = help(&format!("memref<16x256xf32, affine_map<{map}>>"));
        assert!(help.starts_with("its layout is not translated"), "{map}: {help}");
    }
}

#[test]
fn tiles_of_mosaic_are_translated_only_in_row_major_order() {
    let help = |attributes: &str| help(&format!("memref<16x256xf32, #tpu.tiled<{attributes}>>"));
    for strides in ["", ",[2,1]"] {
        assert_eq!(help(&format!("(8,128){strides}")), "write `f32[16,256]{1,0:T(8,128)}`");
    }
    assert_eq!(help("(8,128)(2,1),[2,1]"), "write `f32[16,256]{1,0:T(8,128)(2,1)}`");
    for other in ["(8,128),[1,2]", "(8,128),[3,1]", "(8,128),[1]", "(8,128),[?,1]", "[2,1]"] {
        assert!(help(other).starts_with("its layout is not translated"), "{other}");
    }
}

#[test]
fn only_arguments_that_are_sizes_are_translated_as_sizes() {
    for (call, array) in [
        ("torch.tensor([1, 2], dtype=torch.int32)", "s32[2]"),
        ("np.array([3, 5], dtype=np.float32)", "f32[2]"),
        ("np.array([[1.5, 2], [-3, 4], [5, 6]], np.float32)", "f32[3,2]"),
        ("jnp.asarray(((1,), (2,)), dtype=jnp.bfloat16)", "bf16[2,1]"),
        ("torch.randint(0, 10, (3, 5), dtype=torch.int8)", "s8[3,5]"),
        ("torch.randint(10, size=(3, 5), dtype=torch.int8)", "s8[3,5]"),
        ("torch.eye(5, dtype=torch.float32)", "f32[5,5]"),
        ("torch.eye(3, 5)", "f32[3,5]"),
        ("np.eye(5)", "f64[5,5]"),
        ("np.full((3, 5), 7, dtype=np.int8)", "s8[3,5]"),
        ("torch.full((3, 5), 7.5, dtype=torch.half)", "f16[3,5]"),
        ("jnp.full(8, 2, jnp.int32)", "s32[8]"),
        ("torch.randn(3, 5).to(torch.bfloat16)", "bf16[3,5]"),
        ("jax.random.normal(jax.random.key(0), (8, 128))", "f32[8,128]"),
        ("jax.random.uniform(key, shape=(8, 128), dtype=jnp.bfloat16)", "bf16[8,128]"),
        ("tl.zeros((16, 32), dtype=tl.float16)", "f16[16,32]"),
        ("np.zeros((3, 5), dtype=np.dtype(\"float32\"))", "f32[3,5]"),
        ("np.zeros((3, 5), np.int8){0,1}", "s8[3,5]{0,1}"),
        ("jax.ShapeDtypeStruct(shape=(8, 128), dtype=jnp.float32)", "f32[8,128]"),
    ] {
        assert_eq!(help(call), format!("write `{array}`"), "{call}");
        assert!(array.parse::<TiledSpec>().is_ok(), "{array}");
    }
    for call in [
        "torch.arange(0, 10, dtype=torch.int32)",
        "torch.arange(0, 10)",
        "np.linspace(0, 1, 50, dtype=np.float32)",
        "torch.tensor([[1, 2], [3]], dtype=torch.int32)",
        "torch.tensor([1, 2])",
        "torch.tensor([x, 2], dtype=torch.int32)",
        "np.random.normal(0, 1, (3, 5)).astype(np.float32)",
        "torch.empty((3, 5), dtype=torch.float32).T",
        "torch.empty_strided((3, 5), (1, 3), dtype=torch.float32)",
        "torch.empty(3, 5, dtype=torch.float32, memory_format=torch.channels_last)",
        "np.full((3, 5), 7)",
        "torch.full(3, 7)",
        "pl.BlockSpec((8, 128), np.float32)",
        "torch.full((3, 5), float(1), device=cpu)",
    ] {
        let help = help(call);
        assert!(!help.contains("write"), "{call}: {help}");
    }
    for rank in ["Tensor<B, 2, Int>", "Tensor<Backend, 3, f32>"] {
        let help = help(rank);
        assert!(!help.contains("write"), "{rank}: {help}");
    }
    let deep = format!("np.array({}1{}, np.int8)", "[".repeat(100_000), "]".repeat(100_000));
    assert!(deep.parse::<TiledSpec>().is_err());
}

#[test]
fn texts_of_any_depth_are_read_within_the_stack() {
    let deep = |open: &str, inner: &str, close: &str| {
        open.repeat(200_000) + inner + &close.repeat(200_000)
    };
    for text in [
        format!("np.float32{}", deep("(", "1", ")")),
        format!("{}, f32", deep("(", "3, 5", ")")),
        deep("%a = ", "f32[3]", ""),
        deep("a.b = ", "f32[3]", ""),
        deep("ROOT ", "f32[3]", ""),
        deep("[", "f32", "; 3]"),
        deep("np.array(", "1", ")"),
        deep("Layout<", "3", ">"),
        deep("tensor<", "3xf32", ">"),
        deep("f32[", "3", "]"),
        deep("f32[3]{", "0", "}"),
        format!("f32[3]{{0:T{}}}", deep("(", "8", ")")),
        deep("b(", "f32[3]", ")"),
    ] {
        assert!(text.parse::<TiledSpec>().is_err(), "{}", &text[..40]);
    }
    assert_eq!(help("np.float32((3, 5))"), "write `f32[3,5]`");
    assert_eq!(help("(3, 5), f32"), "write `f32[3,5]`");
}
