//! Structs whose fields are tensors.

use super::*;
use crate::typed::PackedRef;

type Grid = tiled!(f32[2,3]);

crate::checkpoint! {
    struct Layer<const N: usize> {
        #[name = "attn.wq"]
        queries: tiled!(f32[2,N]),
        norm: tiled!(f32[N]),
    }

    struct Layers {
        r#in: Grid,
        layers: Vec<Layer<'a, 3>>,
        #[name = "layers.{}.attn.wq"]
        queries: [Grid; 2],
        #[name = "moe.{}.expert.{}.w"]
        experts: [Vec<Grid>; 2],
        #[name = ""]
        flat: Top<'a>,
        missing: Option<Grid>,
        absent: Option<Vec<Grid>>,
        #[nested]
        #[name = "layers.{}.norm"]
        sums: [Sum<3>; 2],
    }

    struct Top<'file> {
        #[name = "norm"]
        moved: Loaded<'file, tiled!(f32[3]{0:T(128)})>,
    }
}

crate::checkpoint! {
    struct Heads {
        // No dot precedes the inner index.
        #[name = "layers.{}.q{}.w"]
        queries: Vec<Vec<Grid>>,
    }

    struct TwoHeads {
        #[name = "layers.{}.q{}.w"]
        queries: [Vec<Grid>; 2],
    }

    struct Biases {
        #[name = "layers.{}.bias"]
        biases: Option<Vec<Grid>>,
        #[name = "layers.{}.q{}.bias"]
        query_biases: Option<Vec<[Grid; 2]>>,
    }

    struct Norms {
        norms: Vec<Norm<'a>>,
    }

    struct Norm {
        scale: Option<Grid>,
        shift: Option<Grid>,
    }
}

crate::mesh! { Pod = ["model" = 3] }

type SplitGrid = crate::sharded!(f32[6,3] @ Pod [{"model"}, {}]);

crate::checkpoint! {
    struct Split {
        bias: Option<Grid>,
        #[name = "layers.{}.w"]
        weights: Option<Vec<Grid>>,
    }
}

/// A value that is computed when it is loaded.
struct Sum<const N: usize>(f32);

impl<'a, const N: usize> Manifest<'a> for Sum<N> {
    fn find(loader: &mut Loader<'a>, name: &str) -> Option<Self> {
        let row: PackedRef<'a, tiled!(f32[N])> = loader.find(name)?;
        Some(Self(row.as_elements().iter().sum()))
    }
}

/// A file of tensors of zeros.
fn zeros(file: &Temporary, tensors: &[(&str, TiledSpec)]) -> Checkpoint {
    let mut writer = Writer::create(&file.0, tensors.iter().copied()).unwrap();
    for (name, spec) in tensors {
        writer.write(name, &vec![0; spec.storage_bytes()]).unwrap();
    }
    writer.finish().unwrap();
    Checkpoint::open(&file.0).unwrap()
}

fn model() -> Vec<(&'static str, TiledSpec)> {
    let (grid, row) = (Grid::SPEC, <tiled!(f32[3])>::SPEC);
    vec![
        ("in", grid),
        ("norm", row),
        ("layers.0.attn.wq", grid),
        ("layers.0.norm", row),
        ("layers.1.attn.wq", grid),
        ("layers.1.norm", row),
        ("moe.0.expert.0.w", grid),
        ("moe.0.expert.1.w", grid),
        ("moe.1.expert.0.w", grid),
        ("moe.1.expert.01.w", grid),
        ("missing_not", grid),
    ]
}

#[test]
fn manifests_load_all_fields() {
    let file = Temporary::new("manifest");
    let checkpoint = zeros(&file, &model());
    let all = Layers::load(&checkpoint).unwrap();
    assert_eq!((all.layers.len(), all.queries.len()), (2, 2));
    assert_eq!(all.experts.each_ref().map(Vec::len), [2, 1]);
    assert!(all.missing.is_none() && all.absent.is_none());
    let same = |view: PackedRef<'_, Grid>, name: &str| {
        assert_eq!(view.as_bytes().as_ptr_range(), checkpoint.bytes(name).unwrap().as_ptr_range());
    };
    same(all.r#in, "in");
    same(all.layers[1].queries, "layers.1.attn.wq");
    same(all.queries[1], "layers.1.attn.wq");
    same(all.experts[0][1], "moe.0.expert.1.w");
    assert_eq!(all.layers[1].norm.unpack(), [0.0; 3]);
    assert!(matches!(all.flat.moved, Loaded::Moved(_)));
    assert_eq!(all.sums.map(|sum| sum.0), [0.0, 0.0]);
    let layer = Layer::<3>::load_from(&checkpoint, "layers.1").unwrap();
    same(layer.queries, "layers.1.attn.wq");
}

#[test]
fn manifests_report_all_mismatches_at_once() {
    let file = Temporary::new("mismatches");
    let mut tensors = model();
    tensors[0].1 = <tiled!(f32[2,4])>::SPEC;
    tensors.extend([
        ("layers.3.norm", Grid::SPEC),
        ("layers.3.attn.wq", Grid::SPEC),
        ("missing", Rows::SPEC),
        ("absent.0.x", Grid::SPEC),
    ]);
    let checkpoint = zeros(&file, &tensors);
    let error = Layers::load(&checkpoint).err().unwrap();
    let text = error.to_string();
    let CheckpointError::Mismatches { errors } = error else { panic!("{text}") };
    let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
    let firsts: Vec<_> = errors.iter().map(|error| error.lines().next().unwrap()).collect();
    assert_eq!(
        firsts,
        [
            "tensor `in` is `f32[2,4]{1,0}`, not `f32[2,3]{1,0}`",
            // There are three layers, so layers 0 to 2 are requested.
            "there is no tensor `layers.2.attn.wq`",
            "there is no tensor `layers.2.norm`",
            "the list has 2 elements, but the file also has `layers.3.attn.wq`",
            "tensor `missing` is `f32[3,5]{1,0:T(2,2)}`, not `f32[2,3]{1,0}`",
            "there is no tensor `absent.0`",
            "the list has 2 elements, but the file also has `layers.3.norm`",
        ]
    );
    assert!(
        text.starts_with("the checkpoint is not the one that the program expects: 7 errors\n\n")
    );
    assert!(errors.iter().all(|error| text.contains(error)), "{text}");
    // A single error is returned as it is.
    let error = Layer::<3>::load_from(&checkpoint, "layers.3").err().unwrap();
    assert!(matches!(error, CheckpointError::Layout { .. }), "{error}");
}

#[test]
fn lists_have_all_elements_of_the_file() {
    let file = Temporary::new("lists");
    let names = ["layers.0.q0.w", "layers.1.q0.w", "layers.1.q1.w", "layers.2.q0.w"];
    let mut tensors = names.map(|name| (name, Grid::SPEC)).to_vec();
    tensors.extend([("norms.0.scale", Grid::SPEC), ("norms.1.shift", Grid::SPEC)]);
    let checkpoint = zeros(&file, &tensors);
    let heads = Heads::load(&checkpoint).unwrap().queries;
    assert_eq!(heads.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2, 1]);
    let error =
        TwoHeads::load(&checkpoint).map(|heads| heads.queries.len()).unwrap_err().to_string();
    assert!(error.contains("has 2 elements, but the file also has `layers.2.q"), "{error}");
    // The file has other tensors of layers, but none with these names.
    let biases = Biases::load(&checkpoint).unwrap();
    assert!(biases.biases.is_none() && biases.query_biases.is_none());
    let norms = Norms::load(&checkpoint).unwrap().norms;
    assert!(norms[0].scale.is_some() && norms[1].shift.is_some() && norms.len() == 2);

    tensors.extend([("layers.0.bias", Grid::SPEC), ("norms.3.scale", Grid::SPEC)]);
    let checkpoint = zeros(&file, &tensors);
    assert_eq!(Biases::load(&checkpoint).unwrap().biases.map_or(0, |biases| biases.len()), 1);
    // All tensors of norm 2 are optional, so none of them is missing.
    let error = Norms::load(&checkpoint).err().unwrap().to_string();
    assert_eq!(error, "there is no tensor `norms.2`");
}

/// Without a device, a file has the parts of tensors under other names; optional tensors are not missing from it.
#[test]
fn optional_tensors_that_are_split() {
    let file = Temporary::new("split-manifest");
    let split = || Contents::sharded::<SplitGrid>();
    let mut writer = Writer::create(&file.0, [("bias", split()), ("layers.0.w", split())]).unwrap();
    for (name, part) in
        ["bias", "layers.0.w"].into_iter().flat_map(|name| (0..3).map(move |part| (name, part)))
    {
        let grid = Grid::pack(&[part as f32; 6]).unwrap();
        writer.write(&format!("{name}@{part}"), grid.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
    for device in 0..3 {
        let checkpoint = Checkpoint::open_for(&file.0, device).unwrap();
        let found = Split::load(&checkpoint).unwrap();
        let [bias, weight] = [found.bias.unwrap(), found.weights.unwrap()[0]];
        assert_eq!([bias, weight].map(|grid| grid.get([1, 2])), [device as f32; 2]);
    }
    let checkpoint = Checkpoint::open(&file.0).unwrap();
    let error = Split::load(&checkpoint).err().unwrap();
    let CheckpointError::Mismatches { errors } = error else { panic!("{error}") };
    let is_split = |error: &CheckpointError| matches!(error, CheckpointError::Sharded { .. });
    assert!(errors.len() == 2 && errors.iter().all(is_split), "{errors:?}");
}
