//! Operations on shards, on meshes of 1 to 8 devices, compared with loops over whole row-major arrays.
//!
//! The numbers are small integers, so that sums are exact in any order.

use tensor_layout::Host;
use tensor_layout::sharding::run::{RunError, Sharded, Transport};
use tensor_layout::sharding::{MeshType, ShardedLayout};

/// A generator of random numbers: each device has the same.
pub(crate) struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }

    /// Integers from -4 to 4.
    fn array(&mut self, len: usize) -> Vec<f32> {
        (0..len).map(|_| self.below(9) as f32 - 4.0).collect()
    }
}

type Value<L> = Host<<L as ShardedLayout>::Global>;

/// The shards of an array that all devices have.
fn shard<L: ShardedLayout, T: Transport>(transport: &mut T, array: &Vec<Value<L>>) -> Sharded<L> {
    let own = (transport.device() == 0).then_some(array);
    Sharded::scatter(transport, 0, own).expect("a shard")
}

/// Checks the array that the devices have together.
fn same<L: ShardedLayout, T: Transport>(
    transport: &mut T,
    found: Result<Sharded<L>, RunError>,
    expected: &[Value<L>],
    what: &str,
) {
    let found = found.expect(what).gather(transport, 0).expect(what);
    assert_eq!(found.is_some(), transport.device() == 0, "{what} on {}", L::Mesh::MESH);
    assert!(found.is_none_or(|found| found == expected), "{what} on {}", L::Mesh::MESH);
}

/// The product of matrices of the sizes `[m, k]` and `[k, n]`.
fn product(a: &[f32], b: &[f32], k: usize, n: usize) -> Vec<f32> {
    let at = |at: usize| (0..k).map(|i| a[at / n * k + i] * b[i * n + at % n]).sum();
    (0..a.len() / k * n).map(at).collect()
}

/// The elements of an array of `columns` columns by row and column.
fn table(rows: usize, columns: usize, at: impl Fn(usize, usize) -> f32) -> Vec<f32> {
    (0..rows * columns).map(|n| at(n / columns, n % columns)).collect()
}

/// Defines a module with the checks on a mesh with the axes `a` and `b`.
#[rustfmt::skip]
macro_rules! on_mesh {
    ($module:ident $a:literal x $b:literal) => {
        pub(crate) mod $module {
            use super::*;
            use tensor_layout::half::bf16;
            use tensor_layout::sharding::run::ops::{Dims0, Dims1, Dims2, Dims3, DotDims};
            use tensor_layout::{mesh, sharded};

            mesh! { pub(crate) Pod = ["a" = $a, "b" = $b] }

            type X = sharded!(f32[24,48]{1,0:T(8,128)} @ Pod [{"a"}, {"b"}]);
            type Columns = sharded!(f32[24,48] @ Pod [{}, {"a", "b"}]);
            type Rows = sharded!(f32[24,48]{0,1:T(2,2)} @ Pod [{"a"}, {}]);
            type Whole = sharded!(f32[24,48] @ Pod [{}, {}]);

            pub(crate) fn run<T: Transport>(transport: &mut T) {
                let mut random = Random(42);
                for _ in 0..3 {
                    products(transport, &mut random);
                    batches(transport, &mut random);
                    sums(transport, &mut random);
                    elements(transport, &mut random);
                    shapes(transport, &mut random);
                    rows(transport, &mut random);
                }
            }

            fn products<T: Transport>(transport: &mut T, random: &mut Random) {
                type W = sharded!(f32[48,24] @ Pod [{"b"}, {}]);
                type Parts = sharded!(f32[24,24] @ Pod [{"a"}, {}], unreduced={"b"});
                type Summed = sharded!(f32[24,24]{1,0:T(8,128)} @ Pod [{"a"}, {}]);
                type Scattered = sharded!(f32[24,24] @ Pod [{"a"}, {"b"}]);
                type Everywhere = sharded!(f64[24,24] @ Pod [{}, {}]);
                type Turned = sharded!(f32[24,24] @ Pod [{}, {"a"}], unreduced={"b"});
                let (a, b, c) = (random.array(24 * 48), random.array(48 * 24), random.array(24 * 24));
                let y = product(&a, &b, 48, 24);
                let (x, w) = (shard::<X, T>(transport, &a), shard::<W, T>(transport, &b));
                let parts: Sharded<Parts> = x.matmul(&w).local().expect("parts");
                let summed = parts.reshard::<Summed, T>(transport);
                same(transport, summed, &y, "an all-reduce");
                let scattered = parts.reshard::<Scattered, T>(transport);
                same(transport, scattered, &y, "a reduce-scatter");
                let fused = x.matmul(&w).on::<Summed, T>(transport);
                same(transport, fused, &y, "a product that is reduced");
                let fused = x.matmul(&w).on::<Scattered, T>(transport);
                same(transport, fused, &y, "a product that is scattered");
                let parts_again: Result<Sharded<Parts>, _> = x.matmul(&w).on(transport);
                let summed = parts_again.expect("parts").reshard::<Summed, T>(transport);
                same(transport, summed, &y, "a product that stays in parts");

                // Operations that are linear in the parts leave them parts.
                let z = shard::<Summed, T>(transport, &c);
                let linear = &(&(&parts + &parts) * &z) - &parts.scale(3.0).expect("parts");
                let turned: Sharded<Turned> = linear.transpose::<Dims2<1, 0>, _>().expect("parts");
                let found = turned.reshard::<sharded!(f32[24,24] @ Pod [{}, {"a"}]), T>(transport);
                let at = |i: usize, j: usize| 2.0 * y[i * 24 + j] * c[i * 24 + j] - 3.0 * y[i * 24 + j];
                same(transport, found, &table(24, 24, |j, i| at(i, j)), "linear operations on parts");

                let narrow = x.convert::<sharded!(bf16[24,48] @ Pod [{"a"}, {"b"}])>(bf16::from_f32);
                let weights = w.convert::<sharded!(bf16[48,24] @ Pod [{"b"}, {}])>(bf16::from_f32);
                let (narrow, weights) = (narrow.expect("x"), weights.expect("w"));
                let found = narrow.matmul(&weights).on::<Summed, T>(transport);
                same(transport, found, &y, "a product of narrow elements");
                let wide = x.convert::<sharded!(f64[24,48] @ Pod [{"a"}, {"b"}])>(f64::from).expect("x");
                let weights = w.convert::<sharded!(f64[48,24] @ Pod [{"b"}, {}])>(f64::from).expect("w");
                let y: Vec<_> = y.iter().copied().map(f64::from).collect();
                let found = wide.matmul(&weights).on::<Everywhere, T>(transport);
                same(transport, found, &y, "a product that every device has");
            }

            fn batches<T: Transport>(transport: &mut T, random: &mut Random) {
                type Q = sharded!(f32[24,4,6] @ Pod [{"a"}, {}, {"b"}], padded);
                type Even = sharded!(f32[24,4,24] @ Pod [{"a"}, {}, {"b"}]);
                type Ragged = sharded!(f32[24,5,24] @ Pod [{"a"}, {"b"}, {}], padded);
                type Scores = sharded!(f32[24,4,5] @ Pod [{"a"}, {}, {"b"}], padded);
                type Sums = sharded!(f32[24,4,4] @ Pod [{"a"}, {}, {}]);
                type QueriesByKeys = DotDims<Dims1<0>, Dims1<0>, Dims1<2>, Dims1<2>>;
                let (a, b) = (random.array(24 * 4 * 24), random.array(24 * 5 * 24));
                let whole = shard::<sharded!(f32[24,4,24] @ Pod [{"a"}, {}, {}]), T>(transport, &a);
                let k = shard::<Ragged, T>(transport, &b);
                let dot = |i: usize, j: usize, other: &[f32], height: usize| -> f32 {
                    let (x, y) = (i * 24, (i / 4 * height + j) * 24);
                    (0..24).map(|at| a[x + at] * other[y + at]).sum()
                };
                let scores: Result<Sharded<Scores>, _> = whole.dot_general::<QueriesByKeys, _>(&k).local();
                let expected = table(96, 5, |i, j| dot(i, j, &b, 5));
                same(transport, scores, &expected, "a product with a padded dimension");
                let q = shard::<Even, T>(transport, &a);
                let found = q.dot_general::<QueriesByKeys, _>(&q).on::<Sums, T>(transport);
                same(transport, found, &table(96, 4, |i, j| dot(i, j, &a, 4)), "a product of batches");

                let (c, d) = (random.array(24 * 4 * 6), random.array(6 * 8));
                let x = shard::<Q, T>(transport, &c).reshard::<sharded!(f32[24,4,6] @ Pod [{"a"}, {}, {}]), T>(transport);
                let w = shard::<sharded!(f32[6,8] @ Pod [{}, {}]), T>(transport, &d);
                let found = x.expect("x").matmul(&w).local::<sharded!(f32[24,4,8] @ Pod [{"a"}, {}, {}])>();
                same(transport, found, &product(&c, &d, 6, 8), "a batch by a matrix");
            }

            fn sums<T: Transport>(transport: &mut T, random: &mut Random) {
                type RowParts = sharded!(f32[24] @ Pod [{"a"}], unreduced={"b"});
                type Sums = sharded!(f32[24] @ Pod [{"a"}]);
                type Most = sharded!(f32[48] @ Pod [{"b"}], unreduced=max{"a"});
                type Least = sharded!(f32[48] @ Pod [{}]);
                type One = sharded!(f32[] @ Pod []);
                let a = random.array(24 * 48);
                let x = shard::<X, T>(transport, &a);
                let rows: Vec<f32> = a.chunks(48).map(|row| row.iter().sum()).collect();
                let parts: Sharded<RowParts> = x.sum::<Dims1<1>>().local().expect("parts");
                let twice = (&parts + &parts).reshard::<Sums, T>(transport);
                same(transport, twice, &rows.iter().map(|sum| 2.0 * sum).collect::<Vec<_>>(), "parts of sums");
                // A sum of parts of sums is a part as well.
                let total: Sharded<sharded!(f32[] @ Pod [], unreduced={"a","b"})> = parts.sum::<Dims1<0>>().local().expect("parts");
                let total = total.reshard::<One, T>(transport);
                same(transport, total, &[rows.iter().sum()], "a sum of parts");
                let total = x.sum::<Dims2<0, 1>>().on::<One, T>(transport);
                same(transport, total, &[rows.iter().sum()], "a total");
                let column = |of: fn(f32, f32) -> f32| -> Vec<f32> {
                    (0..48).map(|j| a.iter().skip(j).step_by(48).copied().reduce(of).expect("rows")).collect()
                };
                let most: Sharded<Most> = x.max::<Dims1<0>>().local().expect("parts");
                let most = most.reshard::<sharded!(f32[48] @ Pod [{"b"}]), T>(transport);
                same(transport, most, &column(f32::max), "maxima");
                let least = x.min::<Dims1<0>>().on::<Least, T>(transport);
                same(transport, least, &column(f32::min), "minima");
            }

            fn elements<T: Transport>(transport: &mut T, random: &mut Random) {
                let (a, b) = (random.array(24 * 48), random.array(24 * 48));
                let (row, column) = (random.array(48), random.array(24));
                let (x, y) = (shard::<X, T>(transport, &a), shard::<X, T>(transport, &b));
                let by = |f: &dyn Fn(usize, usize) -> f32| table(24, 48, f);
                same(transport, x.map(|x| x * x + 1.0), &by(&|i, j| a[i * 48 + j].powi(2) + 1.0), "map");
                same(transport, x.zip(&y, f32::max), &by(&|i, j| a[i * 48 + j].max(b[i * 48 + j])), "zip");
                same(transport, Ok(&(&x + &y) / &x.map(f32::exp2).expect("x")),
                    &by(&|i, j| (a[i * 48 + j] + b[i * 48 + j]) / a[i * 48 + j].exp2()), "a quotient");
                let bytes = x.convert::<sharded!(s8[24,48]{1,0:T(32,128)} @ Pod [{"a"}, {"b"}])>(|x| x as i8);
                same(transport, bytes, &a.iter().map(|x| *x as i8).collect::<Vec<_>>(), "convert");

                let bias = shard::<sharded!(f32[48] @ Pod [{"b"}]), T>(transport, &row);
                let scale = shard::<sharded!(f32[24] @ Pod [{"a"}]), T>(transport, &column);
                let found = x.zip_broadcast::<Dims1<1>, _>(&bias, |x, bias| x + bias);
                let found = found.expect("x").zip_broadcast::<Dims1<0>, _>(&scale, |x, scale| x * scale);
                same(transport, found, &by(&|i, j| (a[i * 48 + j] + row[j]) * column[i]), "zip_broadcast");
                same(transport, bias.broadcast_in_dim::<Dims1<1>, X>(), &by(&|_, j| row[j]), "a row");
                let tall = shard::<sharded!(f32[24,1] @ Pod [{"a"}, {}]), T>(transport, &column);
                same(transport, tall.broadcast_in_dim::<Dims2<0, 1>, X>(), &by(&|i, _| column[i]), "a column");
                let one = shard::<sharded!(f32[] @ Pod []), T>(transport, &vec![7.0]);
                same(transport, one.broadcast_in_dim::<Dims0, Columns>(), &[7.0; 24 * 48], "a scalar");

                let whole_rows = shard::<Rows, T>(transport, &a).softmax::<1>().expect("rows");
                let expected: Vec<f32> = a.chunks(48).flat_map(|row| {
                    let sum: f32 = row.iter().map(|x| x.exp()).sum();
                    row.iter().map(move |x| x.exp() / sum)
                }).collect();
                let found = whole_rows.gather(transport, 0).expect("rows").unwrap_or(expected.clone());
                assert!(found.iter().zip(&expected).all(|(x, y)| (x - y).abs() < 1e-6), "softmax");
            }

            fn shapes<T: Transport>(transport: &mut T, random: &mut Random) {
                let a = random.array(24 * 48);
                let x = shard::<X, T>(transport, &a);
                let turned = x.transpose::<Dims2<1, 0>, sharded!(f32[48,24]{1,0:T(8,128)} @ Pod [{"b"}, {"a"}])>();
                same(transport, turned, &table(48, 24, |j, i| a[i * 48 + j]), "transpose");
                type Cube = sharded!(f32[24,24,2] @ Pod [{"a"}, {"b"}, {}]);
                let cube = x.reshape::<Cube>();
                same(transport, cube, &a, "a reshape that divides a dimension");
                let back = x.reshape::<Cube>().expect("a cube").reshape::<X>();
                same(transport, back, &a, "a reshape that joins dimensions");
                let flat = shard::<sharded!(f32[24,48] @ Pod [{"a","b"}, {}], padded), T>(transport, &a);
                same(transport, Ok(flat), &a, "rows over both axes");
                let rows = shard::<Rows, T>(transport, &a);
                let flat = rows.reshape::<sharded!(f32[1152] @ Pod [{"a"}])>();
                same(transport, flat, &a, "a reshape to a vector");
                let cube = x.reshape::<Cube>().expect("a cube");
                let permuted = cube.transpose::<Dims3<2, 0, 1>, sharded!(f32[2,24,24] @ Pod [{}, {"a"}, {"b"}])>();
                let at = |n: usize| a[(n % 576) * 2 + n / 576];
                same(transport, permuted, &(0..1152).map(at).collect::<Vec<_>>(), "a permutation");

                let part = rows.slice::<sharded!(f32[24,5] @ Pod [{"a"}, {}])>([0, 7]);
                same(transport, part, &table(24, 5, |i, j| a[i * 48 + j + 7]), "slice");
                assert!(rows.slice::<sharded!(f32[24,5] @ Pod [{"a"}, {}])>([0, 44]).is_err());
                let both = rows.concatenate::<1, _, sharded!(f32[24,96] @ Pod [{"a"}, {}])>(&rows);
                same(transport, both, &table(24, 96, |i, j| a[i * 48 + j % 48]), "concatenate");
                let other = rows.reshard::<Whole, T>(transport).expect("the array").reshard::<Columns, T>(transport);
                same(transport, other, &a, "reshards");
            }

            fn rows<T: Transport>(transport: &mut T, random: &mut Random) {
                // 21 rows: the last devices have fewer.
                type Table = sharded!(f32[21,24]{1,0:T(8,128)} @ Pod [{"b"}, {}], padded);
                type Tokens = sharded!(s32[10] @ Pod [{"a"}], padded);
                type Found = sharded!(f32[10,24] @ Pod [{"a"}, {}], padded);
                type Parts = sharded!(f32[10,24] @ Pod [{"a"}, {}], unreduced={"b"}, padded);
                let a = random.array(21 * 24);
                let tokens: Vec<i32> = (0..10).map(|_| random.below(21) as i32).collect();
                let table_of = shard::<Table, T>(transport, &a);
                let of = shard::<Tokens, T>(transport, &tokens);
                let expected = table(10, 24, |i, j| a[tokens[i] as usize * 24 + j]);
                let parts: Sharded<Parts> = table_of.gather_rows(transport, &of).expect("rows").local().expect("rows");
                let found = parts.reshard::<Found, T>(transport);
                same(transport, found, &expected, "rows");
                let found = table_of.gather_rows(transport, &of).expect("rows").on::<Found, T>(transport);
                same(transport, found, &expected, "rows that are added up");
                for wrong in [-1, 21] {
                    let of = shard::<Tokens, T>(transport, &vec![wrong; 10]);
                    let error = table_of.gather_rows(transport, &of).map(drop);
                    let has_numbers = Tokens::slice(Pod::MESH.device_id(transport.device())).is_some_and(|slice| !slice[0].is_empty());
                    let is_right = match &error {
                        Err(RunError::Row { .. }) => has_numbers,
                        error => error.is_ok() && !has_numbers,
                    };
                    assert!(is_right, "{wrong}: {error:?}");
                }

                // Two elements in a byte.
                type Narrow = sharded!(s4[21,24]{1,0:T(8,128)} @ Pod [{"b"}, {}], padded);
                let narrow: Vec<i8> = (0..21 * 24).map(|n| (n % 15) as i8 - 7).collect();
                let mut cache = shard::<Narrow, T>(transport, &narrow);
                let row = shard::<sharded!(s4[2,24] @ Pod [{}, {}]), T>(transport, &vec![5; 48]);
                cache.update_rows(transport, 6, &row).expect("two rows");
                let expected: Vec<_> = (0..21 * 24).map(|n| if (144..192).contains(&n) { 5 } else { narrow[n] }).collect();
                same(transport, Ok(cache), &expected, "an update of narrow elements");

                let new = random.array(6 * 24);
                for (first, fits) in [(0, true), (3, true), (9, true), (15, true), (16, false), (usize::MAX, false)] {
                    let mut cache = shard::<Table, T>(transport, &a);
                    let update = shard::<sharded!(f32[6,24] @ Pod [{}, {}]), T>(transport, &new);
                    assert_eq!(cache.update_rows(transport, first, &update).is_ok(), fits, "{first}");
                    let expected = table(21, 24, |i, j| match i.checked_sub(first) {
                        Some(row) if fits && row < 6 => new[row * 24 + j],
                        _ => a[i * 24 + j],
                    });
                    same(transport, Ok(cache), &expected, "an update");
                }
            }
        }
    };
}

on_mesh! { one 1 x 1 }
on_mesh! { two 1 x 2 }
on_mesh! { four 2 x 2 }
on_mesh! { six 2 x 3 }
on_mesh! { eight 2 x 4 }
