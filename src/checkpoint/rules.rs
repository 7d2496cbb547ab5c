//! Rules that choose the layout of each tensor of a file.

use super::Result;
use super::error::CheckpointError;
use super::shards::{Contents, shards};
use super::sparse::Keep;
use super::storable::{StoredSpec, is_quantized};
use crate::quantized::{Preset, QuantizedSpec};
use crate::sparse::{ScalarType, SparseEncoding, SparseTensorSpec, StoredSparseSpec};
use core::str::FromStr;
use layout_core::dtype::DType;
use layout_core::sharding::{CutBlock, Mesh, Shards, TensorSharding};
use layout_core::tiled::TiledSpec;
use std::boxed::Box;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

/// How a packer stores the tensors whose names match a pattern.
///
/// ```
/// use tensor_layout::DType;
/// use tensor_layout::checkpoint::{Rule, Rules};
/// let rules = Rules::default().with("*norm*", Rule::RowMajor).with("*", Rule::Tpu);
/// assert_eq!(rules, "*norm* = row-major \n * = tpu!".parse()?);
/// assert_eq!(rules.spec("w", DType::F32, &[16, 16])?.to_string(), "f32[16,16]{1,0:T(8,128)}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rule {
    /// The layout that the TPU's compiler chooses, or row-major if it has none. Written `tpu!`.
    Tpu,
    /// Row-major. Written `row-major`.
    RowMajor,
    /// A layout: without a shape, `{1,0:T(8,128)(2,1)}`, or with a shape, `bf16[1000,384]{1,0:T(8,128)(2,1)}`, which must be
    /// that of the tensor.
    Layout(String),
    /// Block-scaled: a format by its name, `q8_0`; a notation for tensors of any sizes, `s8[..] by f16[1,32] in blocks`; or one
    /// with the sizes of the tensor, `s8[4096,4096] by f16[1,32] in blocks`. The tensor must be `f32`, `bf16` or `f16`.
    Quantized(String),
    /// Sparse: an encoding in MLIR's text, `(i, j) -> (i : dense, j : compressed), posWidth = 32`, or `(i, j) -> (i : dense, j
    /// floordiv 4 : dense, j mod 4 : structured[2, 4]), crdWidth = 2` for weights with at most two nonzero elements among each
    /// four. Some encodings have names: `2:4` or any `N:M`, `csr`, `csc`, and `bsr[4,8]` with the sizes of a block. The nonzero
    /// elements are stored; it is an error if the encoding cannot store one of them.
    Sparse(String),
    /// Matrices in the encoding `n:m` that keep only the `n` elements of largest magnitude of each `m` elements of a row; of
    /// equal elements the first ones. Written `2:4 pruned`.
    Pruned {
        /// The number of elements that are kept.
        n: usize,
        /// The number of elements of a group.
        m: usize,
    },
    /// Numbers of `f32` and `f16` are first rounded to `bf16`, ties to even, and then stored by another rule. Other types are
    /// unchanged. Written `row-major as bf16`.
    Rounded(Box<Rule>),
    /// Split over a mesh, with each part stored by another rule: `tpu! @ ["data"=2, "model"=4] [{"model"}, {}]`. The sharding
    /// contains the mesh. The shape of a layout is that of the whole tensor, as in `sharded!`.
    Sharded(Box<Rule>, TensorSharding),
}

/// Rules in the order in which they are tried: the first rule whose pattern matches applies.
///
/// ```
/// use tensor_layout::checkpoint::Rules;
/// let rules: Rules = "
///     ## A star stands for any text.
///     *.norm.weight = row-major
///     *.w2 = q8_0
///     lm_head.weight = {0,1:T(8,128)(2,1)}
///     ## Split by columns over four devices, each part in the layout that the TPU's compiler picks.
///     *.w1 = tpu! @ [\"model\"=4] [{}, {\"model\"}]
///     * = tpu!
/// ".parse()?;
/// let spec = rules.spec("lm_head.weight", tensor_layout::DType::BF16, &[512, 1000])?;
/// assert_eq!(spec.to_string(), "bf16[512,1000]{0,1:T(8,128)(2,1)}");
/// let spec = rules.spec("layers.0.w1", tensor_layout::DType::BF16, &[512, 1024])?;
/// assert_eq!(spec.to_string(), "bf16[512,256]{1,0:T(8,128)(2,1)}");
/// let spec = rules.spec("layers.0.w2", tensor_layout::DType::BF16, &[512, 1024])?;
/// assert_eq!(spec.to_string(), "s8[512,1024] by f16[1,32] in blocks");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rules(Vec<(String, Rule)>);

impl Rules {
    /// Appends a rule.
    pub fn with(mut self, pattern: impl Into<String>, rule: Rule) -> Self {
        self.0.push((pattern.into(), rule));
        self
    }

    /// The layout of a tensor, or of each of its parts if it is split. [`Rule::Tpu`] applies if no rule matches.
    ///
    /// # Errors
    /// If the tensor cannot have the rule's layout, or no layout at all; or if it becomes sparse, since the lengths of its
    /// arrays then depend on its elements: [`Rules::sparse`] returns its type.
    pub fn spec(&self, name: &str, dtype: DType, dims: &[usize]) -> Result<StoredSpec> {
        self.contents(name, dtype, dims).map(|contents| *contents.spec())
    }

    /// The layout of a tensor, and how it is split.
    ///
    /// # Errors
    /// As for [`Rules::spec`], and if the rule's sharding does not divide the tensor.
    pub fn contents(&self, name: &str, dtype: DType, dims: &[usize]) -> Result<Contents> {
        match self.rule(name) {
            Rule::Sharded(rule, sharding) => {
                let shards = shards(sharding, dims)
                    .map_err(|error| wrong(format!("tensor `{name}`: {error}")))?;
                let local = layout(rule, name, dtype, dims, shards.local_dims())?;
                Ok(Contents::new(local, sharding, shards))
            }
            rule => layout(rule, name, dtype, dims, dims).map(Contents::from),
        }
    }

    /// The sparse type of a tensor, or of each of its parts if it is split; `None` if its rule is not an encoding, and for a
    /// pruned tensor: the lengths of its arrays depend only on its sizes, so [`Rules::spec`] returns its layout.
    ///
    /// # Errors
    /// If the encoding cannot be read, or cannot store such a tensor; or if a part would end within a block.
    pub fn sparse(
        &self,
        name: &str,
        dtype: DType,
        dims: &[usize],
    ) -> Result<Option<SparseTensorSpec>> {
        Ok(self.sparse_parts(name, dtype, dims)?.map(|(spec, _)| spec))
    }

    /// [`Rules::sparse`], and how the tensor is split, if it is. `None` if its rule is not an encoding.
    ///
    /// # Errors
    /// If the encoding cannot be read, or cannot store such a tensor; or if a part would end within a block.
    #[allow(clippy::type_complexity, reason = "a type and how it is split")]
    pub(super) fn sparse_parts(
        &self,
        name: &str,
        dtype: DType,
        dims: &[usize],
    ) -> Result<Option<(SparseTensorSpec, Option<(&TensorSharding, Shards)>)>> {
        let (rule, sharding) = match self.rule(name) {
            Rule::Sharded(rule, sharding) => (&**rule, Some(sharding)),
            rule => (rule, None),
        };
        let (text, dtype) = match rule {
            Rule::Sparse(text) => (text, dtype),
            Rule::Rounded(rule) if let Rule::Sparse(text) = &**rule => (text, rounded(dtype)),
            _ => return Ok(None),
        };
        let split = match sharding {
            Some(sharding) => {
                let shards = shards(sharding, dims)
                    .map_err(|error| wrong(format!("tensor `{name}`: {error}")))?;
                Some((sharding, shards))
            }
            None => None,
        };
        let local = split.as_ref().map_or(dims, |(_, shards)| shards.local_dims());
        sparse(text, name, dtype, dims, local).map(|spec| Some((spec, split)))
    }

    /// The elements that a pruned tensor keeps; `None` if it is not pruned.
    pub(super) fn keep(&self, name: &str) -> Option<Keep> {
        match self.stored(name) {
            Rule::Pruned { n, m } => Some(Keep { n: *n, m: *m }),
            Rule::Rounded(rule) => match **rule {
                Rule::Pruned { n, m } => Some(Keep { n, m }),
                _ => None,
            },
            _ => None,
        }
    }

    /// The type in which the numbers of a tensor are stored.
    pub(super) fn stored_type(&self, name: &str, dtype: DType) -> DType {
        match self.stored(name) {
            Rule::Rounded(_) => rounded(dtype),
            _ => dtype,
        }
    }

    /// The rule for a tensor, or for each of its parts.
    fn stored(&self, name: &str) -> &Rule {
        match self.rule(name) {
            Rule::Sharded(rule, _) => rule,
            rule => rule,
        }
    }

    fn rule(&self, name: &str) -> &Rule {
        let rule = self.0.iter().find(|(pattern, _)| matches_pattern(pattern, name));
        rule.map_or(&Rule::Tpu, |(_, rule)| rule)
    }
}

/// The layout that a rule chooses for a tensor of size `dims` whose parts have the size `local`.
fn layout(
    rule: &Rule,
    name: &str,
    dtype: DType,
    dims: &[usize],
    local: &[usize],
) -> Result<StoredSpec> {
    let row_major = || {
        TiledSpec::row_major(dtype, local)
            .ok_or_else(|| wrong(format!("tensor `{name}`: no layout has {local:?}")))
    };
    match rule {
        Rule::RowMajor => row_major().map(Into::into),
        Rule::Tpu => {
            TiledSpec::tpu_default(dtype, local).map_or_else(row_major, Ok).map(Into::into)
        }
        Rule::Layout(text) => tiled(text, name, dtype, dims, local).map(Into::into),
        Rule::Quantized(text) => quantized(text, name, dtype, dims, local).map(Into::into),
        Rule::Pruned { n, m } => {
            pruned(Keep { n: *n, m: *m }, name, dtype, dims, local).map(Into::into)
        }
        Rule::Sparse(text) => Err(wrong(format!(
            "tensor `{name}` becomes sparse, `{text}`, of a size that is not known without its elements"
        ))),
        Rule::Rounded(rule) => layout(rule, name, rounded(dtype), dims, local),
        Rule::Sharded(..) => {
            Err(wrong(format!("tensor `{name}`: a part of a tensor cannot be split again")))
        }
    }
}

/// The type to which numbers are rounded.
fn rounded(dtype: DType) -> DType {
    match dtype {
        DType::F32 | DType::F16 => DType::BF16,
        other => other,
    }
}

/// The type in an encoding of a tensor of size `dims` whose parts have the size `local`.
fn sparse(
    text: &str,
    name: &str,
    dtype: DType,
    dims: &[usize],
    local: &[usize],
) -> Result<SparseTensorSpec> {
    let about = |error: &dyn core::fmt::Display| {
        wrong(format!("tensor `{name}`, encoding `{text}`: {error}"))
    };
    let encoding: SparseEncoding = text.parse().map_err(|error| about(&error))?;
    let element = ScalarType::from_dtype(dtype).ok_or_else(|| {
        let help = "help: sparse tensors are of floats, complex numbers and integers with a sign";
        wrong(format!("tensor `{name}` is `{}`\n{help}", shape(dtype, dims)))
    })?;
    let sizes: Vec<_> = local.iter().copied().map(Some).collect();
    let spec = SparseTensorSpec::new(&sizes, element, encoding);
    let spec = spec.map_err(|problem| about(&problem))?;
    for (dim, (&local, &size)) in local.iter().zip(dims).enumerate() {
        if local != size
            && local > 0
            && let Some(cut) = CutBlock::find(spec.encoding(), dim, local)
        {
            return Err(about(&cut.message(size / local).as_str()));
        }
    }
    Ok(spec)
}

/// The layout of a pruned tensor of size `dims` whose parts have the size `local`.
fn pruned(
    keep: Keep,
    name: &str,
    dtype: DType,
    dims: &[usize],
    local: &[usize],
) -> Result<StoredSparseSpec> {
    let spec = sparse(&keep.encoding(), name, dtype, dims, local)?;
    let too_large = || wrong(format!("tensor `{name}`: `{}` is too large", shape(dtype, local)));
    let &[rows, columns] = local else { return Err(too_large()) };
    let values = columns.div_ceil(keep.m).checked_mul(rows).and_then(|n| n.checked_mul(keep.n));
    let values = values.ok_or_else(too_large)?;
    let in_byte = 8 / spec.encoding().draft().coordinate_bits;
    let lengths = [(0, 0), (0, 0), (0, values.div_ceil(in_byte))];
    StoredSparseSpec::new(spec, &lengths, values)
        .map_err(|source| CheckpointError::SparseSpec { name: name.into(), source })
}

/// `f32[3,5]`
fn shape(dtype: DType, dims: &[usize]) -> String {
    format!("{dtype}[{}]", sizes(dims))
}

/// `3,5`
fn sizes(dims: &[usize]) -> String {
    dims.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
}

/// The block-scaled layout that a text gives to a tensor of size `dims` whose parts have the size `local`.
fn quantized(
    text: &str,
    name: &str,
    dtype: DType,
    dims: &[usize],
    local: &[usize],
) -> Result<QuantizedSpec> {
    if !matches!(dtype, DType::F32 | DType::BF16 | DType::F16) {
        let help = "help: block-scaled arrays are packed from `f32`, `bf16` and `f16`";
        return Err(wrong(format!("tensor `{name}` is `{}`\n{help}", shape(dtype, dims))));
    }
    let parse = |text: &str| {
        text.parse::<QuantizedSpec>()
            .map_err(|error| wrong(format!("tensor `{name}`, layout `{text}`: {error}")))
    };
    let local_sizes = sizes(local);
    if Preset::from_name(text).is_some() {
        return parse(&format!("{text}[{local_sizes}]"));
    }
    if text.contains("[..]") {
        return parse(&text.replacen("[..]", &format!("[{local_sizes}]"), 1));
    }
    let spec = parse(text)?;
    if spec.dims() != dims {
        let help =
            "help: write the layout without sizes, `s8[..] by f16[1,32]`, for tensors of any";
        let shape = shape(dtype, dims);
        return Err(wrong(format!("tensor `{name}` is `{shape}`, not `{spec}`\n{help}")));
    }
    parse(&spec.to_string().replacen(&sizes(dims), &local_sizes, 1))
}

/// The tiled layout that a text gives to a tensor of size `dims` whose parts have the size `local`.
fn tiled(
    text: &str,
    name: &str,
    dtype: DType,
    dims: &[usize],
    local: &[usize],
) -> Result<TiledSpec> {
    let parse = |text: &str| {
        text.parse::<TiledSpec>()
            .map_err(|error| wrong(format!("tensor `{name}`, layout `{text}`: {error}")))
    };
    let (written, order) = text.split_at(text.find('{').unwrap_or(text.len()));
    if !written.is_empty() {
        let spec = parse(text)?;
        if spec.dtype() != dtype || spec.dims() != dims {
            let help = "help: write the layout without a shape, `{..}`, for tensors of any";
            let shape = shape(dtype, dims);
            return Err(wrong(format!("tensor `{name}` is `{shape}`, not `{spec}`\n{help}")));
        }
        if dims == local {
            return Ok(spec);
        }
    }
    parse(&format!("{}{order}", shape(dtype, local)))
}

impl FromStr for Rules {
    type Err = CheckpointError;

    /// Reads a rule from each line, `PATTERN = RULE`. `#` begins a comment, unless it begins MLIR's `#sparse_tensor.encoding<{
    /// .. }>`.
    fn from_str(text: &str) -> Result<Self> {
        let mut rules = Self::default();
        for (number, line) in text.lines().enumerate() {
            let line = line[..comment(line)].trim();
            if line.is_empty() {
                continue;
            }
            let about = |what: &str| wrong(format!("line {}: {what}", number + 1));
            let (pattern, rule) = line
                .split_once('=')
                .filter(|(pattern, _)| !pattern.trim().is_empty())
                .ok_or_else(|| about("expected a pattern and a rule, as in `*.weight = tpu!`"))?;
            let (layout, split) = match rule.split_once('@') {
                Some((layout, split)) => (layout, Some(split.trim())),
                None => (rule, None),
            };
            let layout = layout.trim();
            let (layout, rounds) = match layout.strip_suffix(" as bf16") {
                Some(layout) => (layout.trim(), true),
                None => (layout, false),
            };
            let rule = one(layout).map_err(|what| about(&what))?;
            let rule = if rounds { Rule::Rounded(Box::new(rule)) } else { rule };
            let rule = match split {
                None => rule,
                Some(split) => {
                    Rule::Sharded(Box::new(rule), sharding(split).map_err(|what| about(&what))?)
                }
            };
            rules = rules.with(pattern.trim(), rule);
        }
        Ok(rules)
    }
}

/// The rule that a text without a sharding describes.
fn one(text: &str) -> Result<Rule, String> {
    Ok(match text {
        "tpu!" => Rule::Tpu,
        "row-major" => Rule::RowMajor,
        layout if layout.contains("->") => Rule::Sparse(layout.into()),
        layout if layout.contains('{') => Rule::Layout(layout.into()),
        layout if let Some(keep) = layout.strip_suffix(" pruned").and_then(n_of_m) => {
            Rule::Pruned { n: keep.n, m: keep.m }
        }
        layout if let Some(encoding) = named(layout) => Rule::Sparse(encoding),
        layout if is_quantized(layout) => Rule::Quantized(layout.into()),
        other => {
            return Err(format!(
                "`{other}` is not a rule\nhelp: write `tpu!`, `row-major`, a layout, `{{1,0:T(8,128)}}`, a block-scaled format, `q8_0`, or an encoding, `2:4` or `(i, j) -> (i : dense, j : compressed)`"
            ));
        }
    })
}

/// The encoding of a name: `2:4`, `csr`, `csc` or `bsr[4,8]`.
fn named(text: &str) -> Option<String> {
    if let Some(keep) = n_of_m(text) {
        return Some(keep.encoding());
    }
    let block = text.strip_prefix("bsr[").and_then(|text| text.strip_suffix(']'));
    if let Some((r, c)) = block.and_then(|block| two_numbers(block, ',')) {
        return Some(format!(
            "(i, j) -> (i floordiv {r} : dense, j floordiv {c} : compressed, i mod {r} : dense, j mod {c} : dense)"
        ));
    }
    match text {
        "csr" => Some("(i, j) -> (i : dense, j : compressed)".into()),
        "csc" => Some("(i, j) -> (j : dense, i : compressed)".into()),
        _ => None,
    }
}

/// `2:4`
fn n_of_m(text: &str) -> Option<Keep> {
    two_numbers(text, ':').map(|(n, m)| Keep { n, m })
}

fn two_numbers(text: &str, by: char) -> Option<(usize, usize)> {
    let (a, b) = text.split_once(by)?;
    Some((a.trim().parse().ok()?, b.trim().parse().ok()?))
}

/// The position at which the comment of a line begins, or the length of the line. MLIR's text of an encoding also begins with
/// `#`.
fn comment(line: &str) -> usize {
    let mut found = line.match_indices('#').map(|(at, _)| at);
    found.find(|at| !line[at + 1..].starts_with("sparse_tensor.encoding")).unwrap_or(line.len())
}

/// Reads `["data"=2, "model"=4] [{"model"}, {}]`: a mesh, which may also be `<[..], device_ids=[..]>`, and how each
/// dimension is split.
fn sharding(text: &str) -> Result<TensorSharding, String> {
    let help = "help: a mesh and the axes of each dimension follow `@`: `@ [\"data\"=2, \"model\"=4] [{\"model\"}, {}]`";
    let end = if text.starts_with('<') { '>' } else { ']' };
    let mut quoted = false;
    let end = text.find(|c| {
        quoted ^= c == '"';
        c == end && !quoted
    });
    let (mesh, split) = text.split_at(end.map_or(text.len(), |end| end + 1));
    let mesh: Mesh = mesh.parse().map_err(|error| format!("the mesh `{mesh}`: {error}\n{help}"))?;
    let whole = format!("<mesh{mesh}, {}>", split.trim());
    whole.parse().map_err(|error| format!("the sharding `{}`: {error}\n{help}", split.trim()))
}

fn wrong(reason: String) -> CheckpointError {
    CheckpointError::Rule { reason }
}

/// Whether `name` is `pattern` with any text for each `*`. Takes time in proportion to the length of both, for each `*`.
///
/// ```
/// use tensor_layout::checkpoint::matches_pattern;
/// assert!(matches_pattern("layers.*.norm*", "layers.12.norm.weight"));
/// assert!(!matches_pattern("norm*", "layers.12.norm.weight"));
/// ```
pub fn matches_pattern(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(start) else { return false };
    let mut parts: Vec<_> = rest.split('*').collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        match name.find(part) {
            Some(at) => name = &name[at + part.len()..],
            None => return false,
        }
    }
    name.ends_with(end)
}
