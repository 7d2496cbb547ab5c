//! The functions that move the elements of an array, checked bit by bit against the rule of the document.

use super::document::{by_the_document, indices};
use proptest::prelude::*;
use proptest::sample::Index;
use tensor_layout::DynLayout;
use tensor_layout::TiledSpec;

/// A packed array according to the document, element by element.
struct Reference<'a> {
    spec: &'a TiledSpec,
    /// The offset of each element, in row-major order.
    offsets: Vec<usize>,
}

impl<'a> Reference<'a> {
    fn of(spec: &'a TiledSpec) -> Self {
        let offsets = indices(spec.dims()).map(|index| by_the_document(spec, &index)).collect();
        Self { spec, offsets }
    }

    /// For each bit of an element, its position in storage, and its position in the host value if it has one there.
    fn bits(&self, element: usize) -> impl Iterator<Item = (usize, Option<usize>)> {
        let (stored, host) = (self.spec.stored_bits(), self.spec.dtype().byte_width() * 8);
        let at = self.offsets[element] * stored;
        (0..stored).map(move |bit| (at + bit, (bit < host).then_some(element * host + bit)))
    }

    /// Writes some elements to a packed array.
    fn write(&self, elements: impl Iterator<Item = usize>, row_major: &[u8], packed: &mut [u8]) {
        for (to, from) in elements.flat_map(|element| self.bits(element)) {
            let bit = from.is_some_and(|from| row_major[from / 8] >> (from % 8) & 1 == 1);
            packed[to / 8] = packed[to / 8] & !(1 << (to % 8)) | u8::from(bit) << (to % 8);
        }
    }

    /// The array packed into storage that held `byte` everywhere.
    fn pack(&self, row_major: &[u8], byte: u8) -> Vec<u8> {
        let mut packed = vec![byte; self.spec.storage_bytes()];
        self.write(0..self.offsets.len(), row_major, &mut packed);
        packed
    }
}

/// One host value for each element, different for each `salt`.
fn values(spec: &TiledSpec, salt: u8) -> Vec<u8> {
    let len = spec.elements() * spec.dtype().byte_width();
    (0..len)
        .map(|at| spec.dtype().normalize((at as u8).wrapping_mul(151) ^ (at >> 8) as u8 ^ salt))
        .collect()
}

/// The row-major numbers of the elements in a window of size `shape` that starts at `first`.
fn window(dims: &[usize], first: &[usize], shape: &[usize]) -> Vec<usize> {
    indices(shape)
        .map(|index| {
            let index = index.iter().zip(first).map(|(i, first)| i + first);
            index.zip(dims).fold(0, |number, (i, size)| number * size + i)
        })
        .collect()
}

/// Packs and unpacks one layout of a pair, and moves the array to the other.
pub(crate) fn whole(texts: [String; 2], salt: u8) -> Result<(), TestCaseError> {
    let [from, to] = texts.each_ref().map(|text| text.parse::<TiledSpec>().unwrap());
    let (source, destination) = (Reference::of(&from), Reference::of(&to));
    let row_major = values(&from, salt);
    // The elements among one bits, which must not be read.
    let noisy = source.pack(&row_major, 0xFF);

    let mut packed = vec![salt; from.storage_bytes()];
    from.pack_bytes(&row_major, &mut packed).unwrap();
    if from.padded().is_none() {
        prop_assert!(packed == source.pack(&row_major, 0), "pack");
    }
    let mut unpacked = vec![salt; row_major.len()];
    from.unpack_bytes(&packed, &mut unpacked).unwrap();
    prop_assert!(unpacked == row_major, "unpack");
    from.unpack_bytes(&noisy, &mut unpacked).unwrap();
    prop_assert!(unpacked == row_major, "unpack from among ones");

    let mut moved = vec![salt; to.storage_bytes()];
    from.relayout_bytes(&noisy, &to, &mut moved).unwrap();
    to.unpack_bytes(&moved, &mut unpacked).unwrap();
    prop_assert!(unpacked == row_major, "relayout");
    if to.padded().is_none() {
        prop_assert!(moved == destination.pack(&row_major, 0), "relayout");
    }
    Ok(())
}

/// The same for a window; `sides` holds where each of its dimensions starts, and how far it extends.
pub(crate) fn part(
    texts: [String; 2],
    sides: Vec<(Index, Index)>,
    salt: u8,
) -> Result<(), TestCaseError> {
    let [from, to] = texts.each_ref().map(|text| text.parse::<TiledSpec>().unwrap());
    let (source, destination) = (Reference::of(&from), Reference::of(&to));
    let (first, shape): (Vec<_>, Vec<_>) = from
        .dims()
        .iter()
        .zip(sides)
        .map(|(size, (first, len))| {
            let first = first.index(size + 1);
            (first, len.index(size - first + 1))
        })
        .unzip();
    let (old, new) = (values(&from, salt), values(&from, !salt));
    let elements = window(from.dims(), &first, &shape);
    let width = from.dtype().byte_width();
    let part: Vec<u8> =
        elements.iter().flat_map(|element| &new[element * width..][..width]).copied().collect();

    let mut read = vec![salt; part.len()];
    let noisy = source.pack(&new, 0xFF);
    from.unpack_window_bytes(&first, &shape, &noisy, &mut read).unwrap();
    prop_assert!(read == part, "unpack {:?} from {:?}", shape, first);

    let (mut packed, mut expected) = (source.pack(&old, 0xFF), source.pack(&old, 0xFF));
    from.pack_window_bytes(&first, &shape, &part, &mut packed).unwrap();
    source.write(elements.iter().copied(), &new, &mut expected);
    prop_assert!(packed == expected, "pack {:?} from {:?}", shape, first);

    let (mut moved, mut expected) = (destination.pack(&old, salt), destination.pack(&old, salt));
    from.relayout_window_bytes((&first, &shape), &noisy, &to, &mut moved).unwrap();
    destination.write(elements.iter().copied(), &new, &mut expected);
    prop_assert!(moved == expected, "relayout {:?} from {:?}", shape, first);
    Ok(())
}
