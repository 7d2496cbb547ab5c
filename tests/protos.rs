//! XLA's protos: 305 shapes written by XLA itself, and programs.

#[path = "golden/rows.rs"]
#[allow(dead_code, reason = "no row has numbers")]
mod rows;

use rows::{rows, text};
use tensor_layout::proto::{
    HloComputationProto, HloInstructionProto, HloModuleProto, HloProto, LayoutProto, Message,
    ShapeError, ShapeProto, TileProto,
};
use tensor_layout::tiled::{ArrayNumbers, PjrtTiledLayout};
use tensor_layout::{DType, Shape, TiledSpec};

fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2);
    digits.map(|two| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16).unwrap()).collect()
}

fn spec(text: &str) -> TiledSpec {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A text and the proto that XLA makes of it are the same shape, or neither is one.
#[test]
fn protos_are_what_xla_writes_for_the_text() {
    let (mut shapes, mut wrong) = (0, 0);
    for row in rows("shape_protos", 305) {
        let (shape, bytes) = (text(&row, "shape"), bytes(text(&row, "proto")));
        let proto = ShapeProto::decode(&bytes[..]).unwrap();
        match (shape.parse::<Shape>(), Shape::try_from(&proto)) {
            (Ok(read), Ok(decoded)) => {
                assert_eq!(read, decoded, "{shape}");
                assert_eq!(ShapeProto::from(&read).encode_to_vec(), bytes, "{shape}");
                shapes += 1;
            }
            (Err(_), Err(_)) => wrong += 1,
            (read, decoded) => panic!("{shape}: {read:?}, but {decoded:?}"),
        }
    }
    assert!(shapes > 280 && wrong > 0, "{shapes} {wrong}");
}

#[test]
fn the_older_form_of_layouts_has_its_padding() {
    for padding in ["padded to [3,5] with zero", "padded to [3,5] with highest", "padded with one"]
    {
        let spec = spec(&format!("f32[2,3]{{0,1}} {padding}"));
        let proto = ShapeProto::from(&spec);
        assert_eq!(TiledSpec::try_from(&proto), Ok(spec), "{padding}");
    }
    // Only one of the two fields.
    let mut proto = ShapeProto::from(&spec("f32[2,3]{0,1}"));
    let layout = proto.layout.as_mut().unwrap();
    layout.padded_dimensions = vec![3, 5];
    assert_eq!(TiledSpec::try_from(&proto), Ok(spec("f32[2,3]{0,1} padded to [3,5]")));
    let layout = proto.layout.as_mut().unwrap();
    (layout.padded_dimensions, layout.padding_value) = (vec![], 3);
    assert_eq!(TiledSpec::try_from(&proto), Ok(spec("f32[2,3]{0,1} padded with lowest")));
    proto.layout.as_mut().unwrap().padding_value = 5;
    assert_eq!(TiledSpec::try_from(&proto), Err(ShapeError::PaddingValue(5)));
}

#[test]
fn what_is_not_a_shape_is_an_error() {
    let error = |change: &dyn Fn(&mut ShapeProto, &mut LayoutProto)| {
        let mut proto = ShapeProto::from(&spec("f32[3,5]{1,0:T(2,2)}"));
        let mut layout = proto.layout.take().unwrap();
        change(&mut proto, &mut layout);
        proto.layout = Some(layout);
        TiledSpec::try_from(&proto).unwrap_err().to_string()
    };
    let duplicate = "dimension 1 is listed twice in minor_to_major (help: did you mean `{1,0}`?)";
    assert_eq!(error(&|_, layout| layout.minor_to_major = vec![1, 1]), duplicate);
    assert_eq!(
        error(&|proto, _| proto.element_type = 99),
        "99 is not the number of an element type"
    );
    assert_eq!(
        error(&|proto, _| proto.element_type = 17),
        "expected an array, found element type 17"
    );
    let negative = "dimension 0 cannot have the negative size -1 (help: write the size, or a bound of it: `<=784`)";
    assert_eq!(error(&|proto, _| proto.dimensions[0] = -1), negative);
    assert!(error(&|_, layout| layout.tiles[0].dimensions[0] = -2).contains("must be positive"));
    assert!(
        error(&|_, layout| layout.tiles[0].dimensions[1] = i64::MIN).contains("most minor size")
    );
    assert!(
        error(&|_, layout| layout.tiles = vec![TileProto::default(); 1])
            .contains("at least one size")
    );
    assert!(
        error(&|_, layout| layout.tiles = vec![layout.tiles[0].clone(); 9])
            .contains("9 tiles in a layout")
    );
    assert!(error(&|_, layout| layout.memory_space = 300).contains("memory space 300"));
    assert!(
        error(&|_, layout| layout.tail_padding_alignment_in_elements = -1)
            .contains("tail alignment")
    );
    assert!(error(&|_, layout| layout.index_primitive_type = 8).contains("`index_primitive_type`"));
    assert!(
        error(&|proto, _| proto.dimensions = vec![i64::MAX, i64::MAX]).contains("address space")
    );
    assert!(error(&|proto, _| proto.dimensions = vec![1; 17]).contains("17 dimensions"));
    assert!(error(&|proto, _| proto.is_dynamic_dimension = vec![true; 3]).contains("more bounds"));
    // Without a layout an array is row-major, and an alignment of 0 means none.
    let mut proto = ShapeProto::from(&spec("f32[3,5]{1,0:T(2,2)}"));
    proto.layout.as_mut().unwrap().tail_padding_alignment_in_elements = 0;
    assert_eq!(TiledSpec::try_from(&proto), Ok(spec("f32[3,5]{1,0:T(2,2)}")));
    proto.layout = None;
    assert_eq!(TiledSpec::try_from(&proto), Ok(spec("f32[3,5]")));
    let shape = |element_type, tuple_shapes, dimensions: &[i64]| {
        let dimensions = dimensions.to_vec();
        Shape::try_from(&ShapeProto {
            element_type,
            tuple_shapes,
            dimensions,
            ..Default::default()
        })
    };
    assert_eq!(shape(34, vec![], &[]), Err(ShapeError::Buffer(0)));
    assert_eq!(shape(13, vec![proto.clone()], &[3]), Err(ShapeError::Dimensions));
    assert_eq!(shape(17, vec![], &[3]), Err(ShapeError::Dimensions));
    assert_eq!(shape(17, vec![], &[]), Ok(Shape::Token));
}

/// The three lists of PJRT's tiled buffer layout, both ways.
#[test]
fn the_tiled_buffer_layout_of_pjrt() {
    let mut carried = 0;
    for row in rows("shape_protos", 305) {
        let Ok(spec) = text(&row, "shape").parse::<TiledSpec>() else { continue };
        let Some(layout) = PjrtTiledLayout::of(&spec) else {
            let more = spec.layout().to_string();
            assert!(
                ["L(", "E(", "S(", "SC(", "M("].iter().any(|name| more.contains(name)),
                "{spec}"
            );
            continue;
        };
        carried += 1;
        let numbers = ArrayNumbers::of(&spec);
        let read = layout.spec(spec.dtype(), &numbers.dims).unwrap();
        assert_eq!(read.layout().to_string(), spec.layout().to_string());
    }
    assert!(carried > 100, "{carried}");
    let layout = |minor_to_major: &[i64], tile_dims: &[i64], tile_dim_sizes: &[usize]| {
        let layout = PjrtTiledLayout {
            minor_to_major: minor_to_major.into(),
            tile_dims: tile_dims.into(),
            tile_dim_sizes: tile_dim_sizes.into(),
        };
        layout.spec(DType::F32, &[3, 5]).map_err(|error| error.to_string())
    };
    assert_eq!(layout(&[0, 1], &[2, 2, 2, 1], &[2, 2]), Ok(spec("f32[3,5]{0,1:T(2,2)(2,1)}")));
    assert_eq!(layout(&[1, 0], &[i64::MIN, 4], &[2]), Ok(spec("f32[3,5]{1,0:T(*,4)}")));
    assert!(layout(&[1, 0], &[2, 2, 2], &[2]).unwrap_err().contains("more sizes"));
    assert!(layout(&[1, 0], &[2], &[usize::MAX]).unwrap_err().contains("more sizes"));
    assert!(layout(&[1, 0], &[-1, 2], &[2]).unwrap_err().contains("must be positive"));
    assert!(layout(&[1, 2], &[], &[]).unwrap_err().contains("dimension 2 does not exist"));
}

fn module(instructions: Vec<HloInstructionProto>) -> HloModuleProto {
    let entry = HloComputationProto { name: "main".into(), instructions, id: 7, root_id: 1 };
    HloModuleProto {
        name: "m".into(),
        computations: vec![entry],
        entry_computation_id: 7,
        ..Default::default()
    }
}

#[test]
fn a_program_is_written_as_text() {
    let parameter = HloInstructionProto {
        name: "p\n} 1".into(),
        opcode: "parameter".into(),
        shape: Some((&spec("f32[3,5]{1,0:T(2,2)}")).into()),
        id: 1,
        ..Default::default()
    };
    let program = module(vec![parameter.clone()]);
    let text =
        "HloModule m\n\nENTRY %main {\n  ROOT %p___1 = f32[3,5]{1,0:T(2,2)} parameter(0)\n}\n";
    assert_eq!(program.text().unwrap(), text);
    // The module alone, and within a dump.
    let dump = HloProto { hlo_module: Some(program.clone()) };
    assert_eq!(HloModuleProto::read(&program.encode_to_vec()).unwrap(), program);
    assert_eq!(HloModuleProto::read(&dump.encode_to_vec()).unwrap(), program);
    assert!(HloModuleProto::read(b"\x0a\x7f").is_err());
    let error = |change: &dyn Fn(&mut HloInstructionProto)| {
        let mut parameter = parameter.clone();
        change(&mut parameter);
        module(vec![parameter]).text().unwrap_err().to_string()
    };
    assert_eq!(error(&|parameter| parameter.shape = None), "instruction `p___1` has no shape");
    let wrong = error(&|parameter| parameter.shape.as_mut().unwrap().element_type = 0);
    assert_eq!(wrong, "instruction `p___1`: 0 is not the number of an element type");
}
