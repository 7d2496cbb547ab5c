//! Random layouts, and the formula that a person would write for each: shifts and masks, merged where possible.
//!
//! The formula is derived from the offsets of the elements, not from the table with which the library computes.

use super::random::{Random, tiled};
use std::fmt::Write as _;
use tensor_layout::tiled::Tile;
use tensor_layout::{DType, TiledSpec};

/// The layouts of a fixed seed, each with a name.
pub(crate) fn layouts() -> Vec<(String, TiledSpec)> {
    let mut random = Random::new(19);
    (0..100).map(|number| (format!("random_{number}"), layout(&mut random))).collect()
}

/// Tiles of the sizes that compilers choose, and others.
fn layout(random: &mut Random) -> TiledSpec {
    const TILINGS: [&[&[usize]]; 16] = [
        &[],
        &[&[8, 128]],
        &[&[4, 128]],
        &[&[2, 128]],
        &[&[8, 128], &[2, 1]],
        &[&[16, 128], &[2, 1]],
        &[&[8, 128], &[4, 1]],
        &[&[32, 128], &[4, 1]],
        &[&[32, 128], &[32, 1]],
        &[&[64, 128], &[8, 1]],
        &[&[1024], &[128], &[2, 1]],
        &[&[512]],
        &[&[3, 5]],
        &[&[Tile::COMBINE, 8, 128]],
        &[&[Tile::COMBINE, Tile::COMBINE, 8, 128]],
        &[&[2, 8, 128], &[2, 1]],
    ];
    let tiles = random.pick(&TILINGS);
    let needed = tiles.first().map_or(1, |tile| tile.len());
    let rank = needed + random.below(5 - needed);
    let dims: Vec<usize> = (0..rank)
        .map(|_| match random.below(4) {
            0 => 1 << random.below(12),
            1 => 128 * (1 + random.below(12)),
            2 => 1 + random.below(12),
            _ => 1 + random.below(3000),
        })
        .collect();
    let order = random.permutation(rank);
    tiled(random.pick(&[DType::F32, DType::BF16, DType::S8]), &dims, &order, tiles)
}

/// A crate of functions from an index to an offset and back, each with a handwritten twin.
pub(crate) fn functions(layouts: &[(String, TiledSpec)]) -> String {
    let mut text = String::from("use tensor_layout::{Layout, tiled};\n");
    for (name, spec) in layouts {
        let names: Vec<String> = (0..spec.rank()).map(|dim| format!("i{dim}")).collect();
        let arguments = names.iter().map(|name| format!("{name}: usize")).collect::<Vec<_>>();
        let (arguments, index) = (arguments.join(", "), names.join(", "));
        let apart = Apart::new(spec);
        writeln!(
            text,
            "\n#[unsafe(no_mangle)]\npub fn {name}_ours({arguments}) -> usize {{\n    \
             unsafe {{ <tiled!({spec}) as Layout>::offset_unchecked([{index}]) }}\n}}\n\
             #[unsafe(no_mangle)]\npub fn {name}_twin({arguments}) -> usize {{\n    {}{}\n}}",
            bounds(spec, &names),
            apart.offset(&names)
        )
        .unwrap();
        let inverse = Inverse::new(spec, &apart);
        inverse.check(spec);
        let rank = spec.rank();
        writeln!(
            text,
            "#[unsafe(no_mangle)]\npub fn index_of_{name}_ours(at: usize) -> Option<[usize; {rank}]> {{\n    \
             <tiled!({spec}) as Layout>::index(at)\n}}\n\
             #[unsafe(no_mangle)]\npub fn index_of_{name}_twin(at: usize) -> Option<[usize; {rank}]> {{\n    {inverse}\n}}"
        )
        .unwrap();
    }
    text
}

/// The assumptions about its index for a twin that divides, as in our function: rustc divides small numbers in narrower registers,
/// with more but cheaper instructions.
fn bounds(spec: &TiledSpec, names: &[String]) -> String {
    let mut tiles = spec.tiles().iter().flat_map(|tile| tile.as_slice());
    if tiles.all(|&entry| entry == Tile::COMBINE || entry.is_power_of_two()) {
        return String::new();
    }
    let bounds = names.iter().zip(spec.dims());
    bounds
        .map(|(name, size)| {
            format!("unsafe {{ core::hint::assert_unchecked({name} < {size}) }};\n    ")
        })
        .collect()
}

/// A part of the formula: `x / div * stride`, up to where the next field of the same dimension continues.
struct Field {
    div: usize,
    stride: usize,
}

/// A layout as groups of dimensions that move the offset independently: single dimensions, or the dimensions that a tile
/// combines.
struct Apart {
    groups: Vec<Vec<usize>>,
    sizes: Vec<usize>,
    dims: Vec<usize>,
    /// The fields of each group, by ascending `div`.
    fields: Vec<Vec<Field>>,
    len: usize,
}

impl Apart {
    fn new(spec: &TiledSpec) -> Self {
        let (dims, len) = (spec.dims().to_vec(), spec.len());
        if let Some(fields) = separate(spec) {
            let groups = (0..dims.len()).map(|dim| vec![dim]).collect();
            return Self { groups, sizes: dims.clone(), dims, fields, len };
        }
        // The dimensions that the tile combines, as one: the rest is an array without combined dimensions.
        let draft = spec.draft();
        let tile = draft.tiles.as_slice()[0];
        let stars = tile.as_slice().iter().take_while(|&&entry| entry == Tile::COMBINE).count();
        let major: Vec<usize> = draft.minor_to_major.as_slice().iter().rev().copied().collect();
        let first = major.len() - tile.as_slice().len();
        let mut groups = vec![];
        let mut at = 0;
        while at < major.len() {
            let group = &major[at..if at == first { at + stars + 1 } else { at + 1 }];
            at += group.len();
            groups.push(group.to_vec());
        }
        let sizes: Vec<usize> =
            groups.iter().map(|group| group.iter().map(|&dim| dims[dim]).product()).collect();
        let order: Vec<usize> = (0..sizes.len()).rev().collect();
        let tiles: Vec<&[usize]> =
            draft.tiles.as_slice().iter().map(|tile| tile.as_slice()).collect();
        let tiles: Vec<&[usize]> = tiles
            .iter()
            .enumerate()
            .map(|(i, tile)| if i == 0 { &tile[stars..] } else { tile })
            .collect();
        let fields = separate(&tiled(draft.dtype, &sizes, &order, &tiles))
            .expect("without combined dimensions each has its own part");
        Self { groups, sizes, dims, fields, len }
    }

    /// The formula for the offset.
    fn offset(&self, names: &[String]) -> String {
        let mut summands = vec![];
        for (group, fields) in self.groups.iter().zip(&self.fields) {
            let (mut size, mut value) = (1, vec![]);
            for &dim in group.iter().rev() {
                value.push(scaled(&names[dim], size));
                size *= self.dims[dim];
            }
            value.reverse();
            let value = if let [one] = &value[..] {
                one.clone()
            } else {
                format!("({})", value.join(" + "))
            };
            for (i, field) in fields.iter().enumerate() {
                let mut digit = value.clone();
                if field.div > 1 {
                    digit = format!("{digit} / {}", field.div);
                }
                if let Some(next) = fields.get(i + 1) {
                    digit = format!("{digit} % {}", next.div / field.div);
                }
                summands.push((field.stride, scaled(&digit, field.stride)));
            }
        }
        summands.sort_by_key(|&(stride, _)| std::cmp::Reverse(stride));
        let summands: Vec<String> = summands.into_iter().map(|(_, summand)| summand).collect();
        if summands.is_empty() { "0".to_owned() } else { summands.join(" + ") }
    }
}

/// The fields of each dimension, if each moves the offset independently; `None` otherwise.
fn separate(spec: &TiledSpec) -> Option<Vec<Vec<Field>>> {
    let alone = |dim: usize, x: usize| {
        let mut index = vec![0; spec.rank()];
        index[dim] = x;
        spec.offset(&index)
    };
    let mut random = Random::new(1);
    for _ in 0..1000 {
        let index: Vec<usize> = spec.dims().iter().map(|&size| random.below(size)).collect();
        let sum: usize = index.iter().enumerate().map(|(dim, &x)| alone(dim, x)).sum();
        if sum != spec.offset(&index) {
            return None;
        }
    }
    let fields_of = |dim: usize| {
        let mut fields: Vec<Field> = vec![];
        for x in 1..spec.dims()[dim] {
            let mut rest = x;
            let mut expected = 0;
            for field in fields.iter().rev() {
                expected += rest / field.div * field.stride;
                rest %= field.div;
            }
            if alone(dim, x) != expected {
                if let Some(last) = fields.last() {
                    assert_eq!(x % last.div, 0, "{spec}");
                }
                fields.push(Field { div: x, stride: alone(dim, x) });
            }
        }
        fields
    };
    Some((0..spec.rank()).map(fields_of).collect())
}

fn scaled(value: &str, factor: usize) -> String {
    if factor == 1 { value.to_owned() } else { format!("{value} * {factor}") }
}

/// `at / stride % size`: a digit of the offset.
struct Digit {
    stride: usize,
    /// `None` for the most major digit.
    size: Option<usize>,
}

/// The formula for the index: each group is a sum of digits of the offset.
struct Inverse {
    /// The digits of each group, each with its weight.
    groups: Vec<Vec<(Digit, usize)>>,
    /// Groups whose digits can represent numbers past their size, and these sizes.
    bounds: Vec<(usize, usize)>,
    /// Digits that are always padding.
    zero: Vec<Digit>,
    /// Where no bound detects the end.
    len: Option<usize>,
    /// The dimensions of each group, major to minor, with their sizes.
    dims: Vec<Vec<(usize, usize)>>,
}

impl Inverse {
    fn new(spec: &TiledSpec, apart: &Apart) -> Self {
        let of_groups = apart.fields.iter().enumerate();
        let mut strides: Vec<(usize, usize, usize)> = of_groups
            .flat_map(|(group, fields)| {
                fields.iter().enumerate().map(move |(i, field)| (field.stride, group, i))
            })
            .collect();
        strides.sort_unstable();
        let mut inverse = Self {
            groups: apart.groups.iter().map(|_| vec![]).collect(),
            bounds: vec![],
            zero: vec![],
            len: None,
            dims: apart
                .groups
                .iter()
                .map(|group| group.iter().map(|&dim| (dim, spec.dims()[dim])).collect())
                .collect(),
        };
        // Below the smallest stride there is only padding.
        match strides.first() {
            None => inverse.len = Some(1),
            Some(&(1, ..)) => {}
            Some(&(stride, ..)) => inverse.zero.push(Digit { stride: 1, size: Some(stride) }),
        }
        for (n, &(stride, group, i)) in strides.iter().enumerate() {
            let (fields, size) = (&apart.fields[group], apart.sizes[group]);
            let above = strides.get(n + 1).map(|&(next, ..)| next / stride);
            let div = fields[i].div;
            let digit = match (fields.get(i + 1), above) {
                (Some(next), Some(above)) => {
                    let size = next.div / div;
                    if above > size {
                        let (stride, size) = (stride * size, Some(above / size));
                        inverse.zero.push(Digit { stride, size });
                    }
                    Some(size)
                }
                (Some(_), None) => {
                    unreachable!("what is most major of a group has its largest stride")
                }
                (None, Some(above)) => {
                    if div * above > size {
                        inverse.bounds.push((group, size));
                    }
                    Some(above)
                }
                (None, None) => {
                    // The sum of the digits must not overflow if it is to detect the end.
                    let overflows = stride == div && !stride.is_power_of_two();
                    let padded = apart.len / stride * div > size;
                    if padded {
                        inverse.bounds.push((group, size));
                    }
                    if overflows || !padded {
                        inverse.len = Some(apart.len);
                    }
                    None
                }
            };
            inverse.groups[group].push((Digit { stride, size: digit }, div));
        }
        inverse.bounds.sort_unstable();
        inverse
    }

    /// Panics if the formula differs from the layout.
    fn check(&self, spec: &TiledSpec) {
        let mut random = Random::new(2);
        for n in 0..4000 {
            let at = if n % 2 == 0 {
                random.below(spec.len() + 2)
            } else {
                let index: Vec<usize> =
                    spec.dims().iter().map(|&size| random.below(size)).collect();
                spec.offset(&index)
            };
            let expected = spec.index(at).map(|index| index.to_vec());
            assert_eq!(self.of(at, spec.rank()), expected, "{spec} at {at}: {self}");
        }
    }

    fn of(&self, at: usize, rank: usize) -> Option<Vec<usize>> {
        let sum = |group: &Vec<(Digit, usize)>| {
            group.iter().map(|(digit, factor)| digit.of(at) * factor).sum::<usize>()
        };
        let values: Vec<usize> = self.groups.iter().map(sum).collect();
        let inside = self.bounds.iter().all(|&(group, size)| values[group] < size)
            && self.zero.iter().all(|digit| digit.of(at) == 0)
            && self.len.is_none_or(|len| at < len);
        let mut index = vec![0; rank];
        for (mut value, dims) in values.into_iter().zip(&self.dims) {
            for &(dim, size) in dims[1..].iter().rev() {
                index[dim] = value % size;
                value /= size;
            }
            index[dims[0].0] = value;
        }
        inside.then_some(index)
    }
}

impl Digit {
    fn of(&self, at: usize) -> usize {
        let rest = at / self.stride;
        self.size.map_or(rest, |size| rest % size)
    }
}

impl std::fmt::Display for Digit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("at")?;
        if self.stride > 1 {
            write!(f, " / {}", self.stride)?;
        }
        self.size.map_or(Ok(()), |size| write!(f, " % {size}"))
    }
}

/// The body of the function, whose argument is `at`.
impl std::fmt::Display for Inverse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut index = vec![String::new(); self.dims.iter().map(Vec::len).sum()];
        for (group, (digits, dims)) in self.groups.iter().zip(&self.dims).enumerate() {
            let digits: Vec<String> = digits
                .iter()
                .rev()
                .map(|(digit, factor)| scaled(&format!("({digit})"), *factor))
                .collect();
            let value = if digits.is_empty() { "0".to_owned() } else { digits.join(" + ") };
            write!(f, "let y{group}: usize = {value}; ")?;
            let mut unit = 1;
            for (n, &(dim, size)) in dims.iter().enumerate().rev() {
                index[dim] = format!("y{group}");
                if unit > 1 {
                    index[dim] += &format!(" / {unit}");
                }
                if n > 0 {
                    index[dim] += &format!(" % {size}");
                }
                unit *= size;
            }
        }
        let end = self.len.iter().map(|len| format!("at < {len}"));
        let bounds = self.bounds.iter().map(|(group, size)| format!("y{group} < {size}"));
        let zero = self.zero.iter().map(|digit| format!("{digit} == 0"));
        let inside: Vec<String> =
            end.chain(zero).chain(bounds).map(|condition| format!("({condition})")).collect();
        write!(f, "({}).then_some([{}])", inside.join(" & "), index.join(", "))
    }
}
