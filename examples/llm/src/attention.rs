//! Grouped-query attention over keys and values that grow in place.

use crate::Result;
use crate::model::{Acts, Rounded};
use crate::parallel::each_chunk;
use crate::rotary::Rotary;
use std::sync::{Mutex, PoisonError};
use tensor_layout::half::bf16;
use tensor_layout::{Packed, matmul_into, tiled};

/// The largest number of queries that are multiplied together by the keys that they share.
const QUERIES: usize = 64;
/// The number of pairs of a query and a key, for each key head, from which threads share the work. Computing them takes some
/// microseconds, in which most keys and values are read from memory.
const PARALLEL: usize = 1 << 9;

/// The keys of up to `T` tokens, with one column for each token: the right operand of the scores, in a layout that kernels read in
/// place.
type Keys<const HEAD: usize, const T: usize> = tiled!(bf16[HEAD,<=T]{1,0:T(HEAD,128)(2,1)});
/// The values of these tokens, with one row for each token: the right operand of the sums. A tile is as wide as a small head, so
/// that small heads have no padding.
type Values<const HEAD: usize, const T: usize> = tiled!(bf16[<=T,HEAD]{1,0:T(8,HEAD)(2,1)});
/// How much each query (a row) attends to each token so far (a column).
type Scores<const R: usize, const T: usize> = tiled!(f32[<=R,<=T]);
type Shares<const R: usize, const T: usize> = tiled!(bf16[<=R,<=T]);

/// The keys and values of a text in one layer, for each key head.
pub(crate) struct Cache<const HEAD: usize, const T: usize> {
    heads: Vec<KeyHead<HEAD, T>>,
}

struct KeyHead<const HEAD: usize, const T: usize> {
    keys: Packed<Keys<HEAD, T>>,
    values: Packed<Values<HEAD, T>>,
}

/// Arrays for some queries.
struct Queries<const HEAD: usize, const T: usize> {
    rows: Packed<Rounded<QUERIES, HEAD>>,
    scores: Packed<Scores<QUERIES, T>>,
    shares: Packed<Shares<QUERIES, T>>,
    sums: Packed<Acts<QUERIES, HEAD>>,
}

/// Arrays that no thread uses at the moment. They are kept because zeroing new ones takes longer than multiplying a few keys.
pub(crate) struct Memory<const HEAD: usize, const T: usize>(Mutex<Vec<Queries<HEAD, T>>>);

/// The new tokens of a text. The arrays are row-major, with one row for each token that contains its heads one after the other; the
/// queries of a group share a key head.
pub(crate) struct Tokens<'a> {
    pub(crate) rotary: &'a Rotary,
    pub(crate) queries: &'a [f32],
    pub(crate) keys: &'a [f32],
    pub(crate) values: &'a [f32],
}

/// The queries of some of the new tokens that share a key head.
struct Group {
    /// The number of the key head.
    head: usize,
    /// The number of queries of a token.
    size: usize,
    /// The first of the new tokens, and the number of tokens.
    first: usize,
    tokens: usize,
    /// The number of tokens before all new ones.
    before: usize,
    /// The number of features of all queries of a token.
    row: usize,
}

impl<const HEAD: usize, const T: usize> Default for Memory<HEAD, T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<const HEAD: usize, const T: usize> Memory<HEAD, T> {
    /// Calls `f` with arrays that no other thread uses.
    fn with(&self, f: impl FnOnce(&mut Queries<HEAD, T>) -> Result<()>) -> Result<()> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let unused = lock().pop();
        let mut arrays = match unused {
            Some(arrays) => arrays,
            None => Queries {
                rows: Packed::zeroed()?,
                scores: Packed::zeroed()?,
                shares: Packed::zeroed()?,
                sums: Packed::zeroed()?,
            },
        };
        let result = f(&mut arrays);
        lock().push(arrays);
        result
    }
}

impl<const HEAD: usize, const T: usize> Cache<HEAD, T> {
    pub(crate) fn new(heads: usize) -> Result<Self> {
        let empty = || {
            let (keys, values) = (Packed::with_sizes([HEAD, 0])?, Packed::with_sizes([0, HEAD])?);
            Ok(KeyHead { keys, values })
        };
        Ok(Self { heads: (0..heads).map(|_| empty()).collect::<Result<_>>()? })
    }

    /// The number of tokens.
    pub(crate) fn len(&self) -> usize {
        self.heads.first().map_or(0, |head| head.keys.len(1))
    }

    pub(crate) fn clear(&mut self) {
        for KeyHead { keys, values } in &mut self.heads {
            keys.set_len(1, 0).and_then(|()| values.set_len(0, 0)).expect("shorter than the bound");
        }
    }

    /// Appends the keys and values of tokens, for which there must be room, and lets each query attend to all tokens up to its own.
    /// Threads share the tokens, or the heads of a single token.
    pub(crate) fn attend(
        &mut self,
        memory: &Memory<HEAD, T>,
        tokens: &Tokens<'_>,
        to: &mut [bf16],
    ) -> Result<()> {
        let key_row = self.heads.len() * HEAD;
        let count = tokens.keys.len() / key_row;
        let before = self.len();
        let row = tokens.queries.len() / count;
        let size = row / key_row;
        let is_large = count * size * (before + count) >= PARALLEL;
        each_chunk(&mut self.heads, 1, is_large && count > 1, |number, head| {
            head[0].append(tokens, (number, key_row), before)
        })?;
        let heads = &self.heads;
        if count == 1 {
            return each_chunk(to, size * HEAD, is_large, |head, to| {
                let group = Group { head, size, first: 0, tokens: 1, before, row };
                memory.with(|arrays| heads[head].attend(tokens, &group, arrays, to))
            });
        }
        let some = (QUERIES / size).max(1);
        each_chunk(to, some * row, is_large, |part, to| {
            let (first, count) = (part * some, to.len() / row);
            memory.with(|arrays| {
                (0..heads.len()).try_for_each(|head| {
                    let group = Group { head, size, first, tokens: count, before, row };
                    heads[head].attend(tokens, &group, arrays, &mut to[head * size * HEAD..])
                })
            })
        })
    }
}

impl<const HEAD: usize, const T: usize> KeyHead<HEAD, T> {
    /// Appends keys and values to those of the tokens `before`, given rows that have those of head `number`.
    fn append(
        &mut self,
        tokens: &Tokens<'_>,
        (number, row): (usize, usize),
        before: usize,
    ) -> Result<()> {
        let count = tokens.keys.len() / row;
        let head = |token: usize| token * row + number * HEAD..token * row + (number + 1) * HEAD;
        self.keys.set_len(1, before + count)?;
        let columns = self.keys.as_elements_mut();
        for token in 0..count {
            let mut key = [0.0; HEAD];
            key.copy_from_slice(&tokens.keys[head(token)]);
            tokens.rotary.turn(before + token, &mut key);
            for (i, key) in key.into_iter().enumerate() {
                columns[Keys::<HEAD, T>::offset([i, before + token])] = bf16::from_f32(key);
            }
        }
        if count == 1 {
            // Moving a single row takes less time than planning the movement.
            self.values.set_len(0, before + 1)?;
            let rows = self.values.as_elements_mut();
            for (i, value) in tokens.values[head(0)].iter().enumerate() {
                rows[Values::<HEAD, T>::offset([before, i])] = bf16::from_f32(*value);
            }
            return Ok(());
        }
        let values = (0..count).flat_map(|token| &tokens.values[head(token)]);
        let values: Vec<bf16> = values.copied().map(bf16::from_f32).collect();
        Ok(self.values.push_rows(&values)?)
    }

    /// Writes what a group of queries attends to. `to` begins with the features of the first of them.
    fn attend(
        &self,
        tokens: &Tokens<'_>,
        group: &Group,
        arrays: &mut Queries<HEAD, T>,
        to: &mut [bf16],
    ) -> Result<()> {
        let Queries { rows, scores, shares, sums } = arrays;
        let all = self.keys.len(1);
        let queries: Vec<usize> = (0..group.size * group.tokens).collect();
        for part in queries.chunks(QUERIES) {
            for (dim, len) in [(0, part.len()), (1, all)] {
                scores.set_len(dim, len)?;
                shares.set_len(dim, len)?;
            }
            rows.set_len(0, part.len())?;
            sums.set_len(0, part.len())?;
            for (query, row) in part.iter().zip(rows.as_elements_mut().chunks_mut(HEAD)) {
                round(&group.query::<HEAD>(tokens, *query), row);
            }
            matmul_into(rows, &self.keys, scores);
            for (query, row) in part.iter().zip(scores.as_elements_mut().chunks_mut(T)) {
                // A token does not attend to later ones.
                row[group.position(*query) + 1..all].fill(f32::NEG_INFINITY);
            }
            scores.softmax_in_place(1);
            scores.as_ref().convert_into(&mut shares.as_mut(), bf16::from_f32);
            matmul_into(shares, &self.values, sums);
            for (query, sums) in part.iter().zip(sums.as_elements().chunks(HEAD)) {
                let at = query / group.size * group.row + query % group.size * HEAD;
                round(sums, &mut to[at..][..HEAD]);
            }
        }
        Ok(())
    }
}

impl Group {
    /// The position in the text of the token of a query.
    fn position(&self, query: usize) -> usize {
        self.before + self.first + query / self.size
    }

    /// A query, rotated and divided by the square root of the size of a head: dividing the scores instead takes more divisions.
    fn query<const HEAD: usize>(&self, tokens: &Tokens<'_>, query: usize) -> [f32; HEAD] {
        let head = self.head * self.size + query % self.size;
        let mut turned = [0.0; HEAD];
        let first = (self.first + query / self.size) * self.row + head * HEAD;
        turned.copy_from_slice(&tokens.queries[first..][..HEAD]);
        tokens.rotary.turn(self.position(query), &mut turned);
        turned.map(|x| x / (HEAD as f32).sqrt())
    }
}

fn round(from: &[f32], to: &mut [bf16]) {
    to.iter_mut().zip(from).for_each(|(to, x)| *to = bf16::from_f32(*x));
}
