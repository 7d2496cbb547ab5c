//! Grouped-query attention over keys and values that grow in place.

use crate::Result;
use crate::model::{Acts, Rounded};
use crate::rotary::Rotary;
use tensor_layout::half::bf16;
use tensor_layout::{Packed, matmul, tiled};

/// The keys of up to `T` tokens, with one column for each token: the right operand of the scores, in a layout that kernels read in
/// place.
type Keys<const HEAD: usize, const T: usize> = tiled!(bf16[HEAD,<=T]{1,0:T(8,128)(2,1)});
/// The values of these tokens, with one row for each token: the right operand of the sums. A tile is as wide as a small head, so
/// that small heads have no padding.
type Values<const HEAD: usize, const T: usize> = tiled!(bf16[<=T,HEAD]{1,0:T(8,32)(2,1)});
/// How much each query (a row) attends to each token so far (a column).
type Scores<const R: usize, const T: usize> = tiled!(f32[<=R,<=T]);
type Shares<const R: usize, const T: usize> = tiled!(bf16[<=R,<=T]);

/// The keys and values of a text in one layer, for each key head.
pub(crate) struct Cache<const HEAD: usize, const T: usize> {
    heads: Vec<(Packed<Keys<HEAD, T>>, Packed<Values<HEAD, T>>)>,
}

impl<const HEAD: usize, const T: usize> Cache<HEAD, T> {
    pub(crate) fn new(heads: usize) -> Result<Self> {
        let empty = || Ok((Packed::with_sizes([HEAD, 0])?, Packed::with_sizes([0, HEAD])?));
        Ok(Self { heads: (0..heads).map(|_| empty()).collect::<Result<_>>()? })
    }

    pub(crate) fn clear(&mut self) {
        for (keys, values) in &mut self.heads {
            keys.set_len(1, 0).and_then(|()| values.set_len(0, 0)).expect("shorter than the bound");
        }
    }

    /// Appends keys and values, and lets each query attend to all tokens up to its own. All arrays are row-major, with one row for
    /// each token that contains its heads one after the other; the queries of a group share a key head.
    pub(crate) fn attend<const R: usize>(
        &mut self,
        rotary: &Rotary,
        queries: &mut [f32],
        keys: &mut [f32],
        values: &[f32],
        to: &mut [bf16],
    ) -> Result<()> {
        let heads = self.heads.len();
        let count = keys.len() / (heads * HEAD);
        let before = self.heads.first().map_or(0, |(keys, _)| keys.len(1));
        if count > T - before {
            return Err(
                format!("the text is longer than the {T} tokens that there is room for").into()
            );
        }
        let (query_row, key_row) = (queries.len() / count, heads * HEAD);
        for (rows, width) in [(&mut *queries, query_row), (keys, key_row)] {
            for (position, row) in (before..).zip(rows.chunks_mut(width)) {
                row.chunks_mut(HEAD).for_each(|head| rotary.turn(position, head));
            }
        }
        let group = query_row / key_row;
        // Scores must be divided by the square root of the size of a head. Dividing the queries instead takes fewer divisions.
        queries.iter_mut().for_each(|x| *x /= (HEAD as f32).sqrt());
        for (number, (cached_keys, cached_values)) in self.heads.iter_mut().enumerate() {
            let head = |row: usize| row * key_row + number * HEAD;
            append::<R, HEAD, T>(cached_keys, cached_values, before, count, |row| {
                [&*keys, values].map(|of| &of[head(row)..][..HEAD])
            })?;

            // The queries of the group, token by token.
            let at = |query: usize| {
                (query / group) * query_row + (number * group + query % group) * HEAD
            };
            let all: Vec<usize> = (0..count * group).collect();
            for part in all.chunks(R) {
                let mut rows = Packed::<Rounded<R, HEAD>>::with_sizes([part.len(), HEAD])?;
                for (query, row) in part.iter().zip(rows.as_elements_mut().chunks_mut(HEAD)) {
                    round(&queries[at(*query)..][..HEAD], row);
                }
                let mut scores: Packed<Scores<R, T>> = matmul(&rows, &*cached_keys);
                for (row, query) in part.iter().enumerate() {
                    // A token does not attend to later ones.
                    for column in before + query / group + 1..before + count {
                        scores.set([row, column], f32::NEG_INFINITY)?;
                    }
                }
                scores.softmax_in_place(1);
                let shares = scores.convert::<Shares<R, T>>(bf16::from_f32);
                let sums: Packed<Acts<R, HEAD>> = matmul(&shares, &*cached_values);
                for (query, sums) in part.iter().zip(sums.as_elements().chunks(HEAD)) {
                    round(sums, &mut to[at(*query)..][..HEAD]);
                }
            }
        }
        Ok(())
    }
}

/// Appends the keys and values of a head after the tokens `before`.
fn append<'a, const R: usize, const HEAD: usize, const T: usize>(
    keys: &mut Packed<Keys<HEAD, T>>,
    values: &mut Packed<Values<HEAD, T>>,
    before: usize,
    count: usize,
    row: impl Fn(usize) -> [&'a [f32]; 2],
) -> Result<()> {
    keys.set_len(1, before + count)?;
    let columns = keys.as_elements_mut();
    for number in 0..count {
        for (i, key) in row(number)[0].iter().enumerate() {
            columns[Keys::<HEAD, T>::offset([i, before + number])] = bf16::from_f32(*key);
        }
    }
    if count == 1 {
        // Moving a single row takes less time than planning the movement.
        values.set_len(0, before + 1)?;
        let rows = values.as_elements_mut();
        for (i, value) in row(0)[1].iter().enumerate() {
            rows[Values::<HEAD, T>::offset([before, i])] = bf16::from_f32(*value);
        }
        return Ok(());
    }
    let mut rows = Packed::<Rounded<R, HEAD>>::with_sizes([count, HEAD])?;
    for (number, to) in rows.as_elements_mut().chunks_mut(HEAD).enumerate().take(count) {
        round(row(number)[1], to);
    }
    values.append_rows(&rows)?;
    Ok(())
}

fn round(from: &[f32], to: &mut [bf16]) {
    to.iter_mut().zip(from).for_each(|(to, x)| *to = bf16::from_f32(*x));
}
