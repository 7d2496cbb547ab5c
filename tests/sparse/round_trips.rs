//! From every encoding to every other one, on random tensors; the types agree with their run-time twins in every array.

use crate::definition::arrays;
use crate::encodings::*;
use crate::naive::wide;
use proptest::prelude::*;
use std::collections::BTreeMap;
use tensor_layout::sparse::{
    BuildError, Coordinate, Duplicates, DynSparseTensor, Encoding, Position, SparseTensor,
};

type Entry<const R: usize> = ([usize; R], i32);

/// A tensor of rank `R` in any encoding.
trait Tensor<const R: usize> {
    fn to_coo(&self) -> Vec<Entry<R>>;
    fn convert(&self, to: usize) -> Result<Box<dyn Tensor<R>>, BuildError>;
    /// All arrays.
    fn text(&self) -> String;
}

/// The result of storing entries in an encoding.
type Make<const R: usize> =
    fn([usize; R], &[Entry<R>], Duplicates) -> Result<Box<dyn Tensor<R>>, BuildError>;

macro_rules! lists {
    ($($MAKERS:ident $R:literal $Converters:ident: $($E:ident)*;)*) => { $(
        $(
            impl Tensor<$R> for SparseTensor<$E, i32> {
                fn to_coo(&self) -> Vec<Entry<$R>> {
                    SparseTensor::to_coo(self)
                }
                fn convert(&self, to: usize) -> Result<Box<dyn Tensor<$R>>, BuildError> {
                    $Converters::<$E>::TO[to](self)
                }
                fn text(&self) -> String {
                    self.to_string()
                }
            }
        )*
        struct $Converters<E>(std::marker::PhantomData<E>);
        impl<E: Encoding<Index = [usize; $R]>> $Converters<E> {
            #[allow(clippy::type_complexity, reason = "a table of functions")]
            const TO: &[fn(&SparseTensor<E, i32>) -> Result<Box<dyn Tensor<$R>>, BuildError>] = &[
                $(|tensor| Ok(Box::new(tensor.convert::<$E>()?))),*
            ];
        }
        const $MAKERS: &[(&str, Make<$R>)] = &[$((stringify!($E), make::<$E, $R>)),*];
    )* };
}

lists! {
    MATRICES 2 ToMatrix: Csr Csr32 Csc SortedCoo SoaCoo Dcsc Dcsr Bsr2 Bsr Nv24 Ell EllRows Dense DenseCsr Loose Dia DiaJ
        AntiDia Delta Delta4 Mixed TwoLevel Linear LinearBlocks Unordered Batched CsrNonunique;
    TENSORS 3 ToTensor: Coo3 Bcoo Csf Csf201 BatchedCsr Blocks3;
}

/// Stores entries, and checks everything that can be observed of them.
fn make<E: Encoding<Index = [usize; R]>, const R: usize>(
    shape: [usize; R],
    entries: &[Entry<R>],
    duplicates: Duplicates,
) -> Result<Box<dyn Tensor<R>>, BuildError>
where
    SparseTensor<E, i32>: Tensor<R>,
{
    let twin = DynSparseTensor::from_coo(E::SPEC, &shape, entries, duplicates);
    let tensor = match SparseTensor::<E, i32>::from_coo(shape, entries, duplicates) {
        Ok(tensor) => tensor,
        Err(error) => {
            assert_eq!(twin, Err(error.clone()));
            return Err(error);
        }
    };
    let twin = twin.expect("what the type can store");
    for level in 0..E::SPEC.levels().len() {
        let positions: Vec<usize> = tensor.positions(level).iter().map(|p| p.get()).collect();
        assert_eq!(positions, twin.positions(level));
        assert!(tensor.level_coordinates(level).eq(twin.level_coordinates(level)));
        assert!(
            E::Coordinate::PER_WORD > 1
                || tensor.coordinates(level).len() == twin.coordinates(level).len()
        );
    }
    assert_eq!(tensor.values(), twin.values());
    assert_eq!(wide(&tensor), arrays(&E::SPEC, &shape, entries, duplicates), "{}", E::SPEC);
    assert_eq!(tensor.to_string(), twin.to_string());
    assert_eq!(
        twin.to_coo(),
        tensor
            .to_coo()
            .into_iter()
            .map(|(index, value)| (index.to_vec(), value))
            .collect::<Vec<_>>()
    );
    let mut visited = Vec::new();
    tensor.for_each(|index, value| visited.push((index, *value)));
    assert!(tensor.iter().map(|(index, value)| (index, *value)).eq(visited));
    check_access(&tensor, entries);
    let assembled = SparseTensor::<E, i32>::assemble(tensor.clone().disassemble());
    assert_eq!(assembled.as_ref(), Ok(&tensor));
    Ok(Box::new(tensor))
}

/// `get` returns the sum of the entries at an index, which is zero where there is none.
fn check_access<E: Encoding<Index = [usize; R]>, const R: usize>(
    tensor: &SparseTensor<E, i32>,
    entries: &[Entry<R>],
) {
    for number in 0..tensor.shape().iter().product() {
        let mut rest = number;
        let mut index = [0; R];
        for dim in (0..R).rev() {
            index[dim] = rest % tensor.shape()[dim];
            rest /= tensor.shape()[dim];
        }
        let own = entries.iter().filter(|entry| entry.0 == index);
        let sum: i32 = own.map(|entry| entry.1).sum();
        assert_eq!(tensor.get(index), sum, "{index:?} of {tensor}");
    }
}

/// Errors that an encoding may return for valid entries.
fn may_fail(error: &BuildError) -> bool {
    matches!(error, BuildError::Structured { .. } | BuildError::Slots { .. })
}

fn sorted<const R: usize>(mut entries: Vec<Entry<R>>) -> Vec<Entry<R>> {
    entries.sort();
    entries
}

fn all_pairs<const R: usize>(makers: &[(&str, Make<R>)], shape: [usize; R], entries: &[Entry<R>]) {
    let made = makers.iter().map(|(_, make)| make(shape, entries, Duplicates::Error));
    let made: Vec<_> =
        made.map(|tensor| tensor.map_or_else(|_| String::new(), |t| t.text())).collect();
    for (from, make) in makers {
        let tensor = match make(shape, entries, Duplicates::Error) {
            Ok(tensor) => tensor,
            Err(error) => {
                assert!(may_fail(&error), "{from}: {error}");
                continue;
            }
        };
        assert_eq!(sorted(tensor.to_coo()), sorted(entries.to_vec()), "{from}");
        for (to, (name, _)) in makers.iter().enumerate() {
            match tensor.convert(to) {
                Ok(converted) => {
                    // The arrays equal those that are built from the entries.
                    assert_eq!(converted.text(), made[to], "{from} to {name}");
                    assert_eq!(
                        sorted(converted.to_coo()),
                        sorted(entries.to_vec()),
                        "{from} to {name}"
                    );
                }
                Err(error) => assert!(may_fail(&error), "{from} to {name}: {error}"),
            }
        }
    }
}

/// Entries with distinct indices, in any order.
fn distinct<const R: usize>(
    most: [usize; R],
) -> impl Strategy<Value = ([usize; R], Vec<Entry<R>>)> {
    let shape: Vec<_> = most.iter().map(|most| 1..=*most).collect();
    shape.prop_flat_map(|shape| {
        let index: Vec<_> = shape.iter().map(|size| 0..*size).collect();
        let cells = shape.iter().product::<usize>();
        let entries = prop::collection::btree_map(index, 1..100, 0..=cells.min(24));
        (Just(shape), entries.prop_map(|map| map.into_iter().collect::<Vec<_>>()).prop_shuffle())
            .prop_map(|(shape, entries)| {
                let array = |index: Vec<usize>| <[usize; R]>::try_from(index).expect("the rank");
                (
                    array(shape),
                    entries.into_iter().map(|(index, value)| (array(index), value)).collect(),
                )
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn matrices((shape, entries) in distinct([11, 16])) {
        all_pairs(MATRICES, shape, &entries);
    }

    #[test]
    fn tensors((shape, entries) in distinct([4, 5, 6])) {
        all_pairs(TENSORS, shape, &entries);
    }

    #[test]
    fn duplicates((shape, entries) in distinct([5, 9]), again in prop::collection::vec(any::<prop::sample::Index>(), 1..6)) {
        prop_assume!(!entries.is_empty());
        let mut entries = entries;
        entries.extend(again.iter().map(|index| *index.get(&entries)).collect::<Vec<_>>());
        let mut sums = BTreeMap::new();
        for (index, value) in &entries {
            *sums.entry(*index).or_insert(0) += value;
        }
        for (name, make) in MATRICES {
            let unique = make(shape, &entries, Duplicates::Error);
            prop_assert!(matches!(unique, Err(BuildError::Duplicate { .. })), "{}", name);
            match make(shape, &entries, Duplicates::Sum) {
                Ok(tensor) => prop_assert_eq!(sorted(tensor.to_coo()), sums.clone().into_iter().collect::<Vec<_>>()),
                Err(error) => prop_assert!(may_fail(&error), "{}: {}", name, error),
            }
            match make(shape, &entries, Duplicates::Keep) {
                Ok(tensor) => prop_assert_eq!(sorted(tensor.to_coo()), sorted(entries.clone())),
                Err(error) => prop_assert_eq!(error, BuildError::KeepUnique),
            }
        }
    }
}

#[test]
fn the_edges() {
    let full: Vec<_> = (0..35).map(|n| ([n / 7, n % 7], n as i32 + 1)).collect();
    for (shape, entries) in [
        ([1, 1], vec![]),
        ([1, 1], vec![([0, 0], 5)]),
        ([5, 7], vec![]),
        ([5, 7], vec![([4, 6], 5)]),
        ([5, 7], full),
        ([0, 7], vec![]),
        ([5, 0], vec![]),
    ] {
        all_pairs(MATRICES, shape, &entries);
    }
    all_pairs(TENSORS, [0, 2, 3], &[]);
    all_pairs(TENSORS, [2, 0, 3], &[]);
}

/// Enough entries to cover all sorting algorithms.
#[test]
fn large_matrices() {
    for (shape, modulus) in [([67, 130], 3), ([130, 67], 29), ([300, 8], 2), ([8, 400], 5)] {
        let cell = |at: usize| [at / shape[1], at % shape[1]];
        let cells = shape[0] * shape[1];
        // 7919 is a prime, so each cell occurs once.
        let order = (0..cells).map(|at| at * 7919 % cells).filter(|at| at * at % 31 % modulus == 0);
        let entries: Vec<_> = order.map(|at| (cell(at), 1 + at as i32)).collect();
        let rows = SparseTensor::<Csr, i32>::from_coo(shape, &entries, Duplicates::Error).unwrap();
        let expected = sorted(entries);
        assert_eq!(rows.to_coo(), expected);
        let all: Vec<_> = (0..MATRICES.len()).map(|to| Tensor::convert(&rows, to)).collect();
        for (tensor, (from, _)) in all.iter().zip(MATRICES) {
            let Ok(tensor) = tensor else { continue };
            assert_eq!(sorted(tensor.to_coo()), expected, "{from}");
            for (to, (name, _)) in MATRICES.iter().enumerate() {
                match (tensor.convert(to), &all[to]) {
                    (Ok(converted), Ok(direct)) => {
                        assert!(converted.text() == direct.text(), "{from} to {name}");
                    }
                    (Err(error), Err(expected)) => {
                        let [error, expected] = [&error, expected].map(std::mem::discriminant);
                        assert!(error == expected, "{from} to {name}");
                    }
                    _ => panic!("{from} to {name}: only one of two ways works"),
                }
            }
        }
    }
}

/// Coordinates of more than 64 bits in total are sorted one level after the other.
#[test]
fn large_indices() {
    let size = 1 << 40;
    let index = |at: usize| [at * 31 % 7 * (size / 8), at * 17 % 5 * (size / 16), at % 3];
    let mut entries: Vec<_> = (0..105).map(|at| (index(at), at as i32)).collect();
    let tensor =
        SparseTensor::<Csf, i32>::from_coo([size; 3], &entries, Duplicates::Error).unwrap();
    entries.sort();
    assert_eq!(tensor.to_coo(), entries);
    let turned = tensor.convert::<Csf201>().unwrap();
    assert_eq!(sorted(turned.to_coo()), entries);
    assert_eq!(turned.convert::<Csf>().unwrap(), tensor);
    entries.push(entries[50]);
    let error = SparseTensor::<Csf, i32>::from_coo([size; 3], &entries, Duplicates::Error);
    assert!(matches!(error, Err(BuildError::Duplicate { first: 50, second: 105, .. })));
}
