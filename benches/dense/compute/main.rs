//! Compute on packed arrays, compared with the same loop over a plain slice, with `ndarray`, and with a `memcpy` of half of the
//! bytes that are read and written, in one run: criterion's statistics, or a table of the fastest of alternating runs. GB/s count
//! all bytes that are read and written.
//!
//! `cargo bench -p dense-bench --bench compute`, or `cargo bench -p dense-bench --bench compute -- table [words]` for rows that
//! contain the words.

mod plain;
#[path = "../../harness/ratio.rs"]
mod ratio;

use criterion::{Criterion, Throughput};
use ndarray::{Array2, ArrayView2, Axis, Zip};
use plain::Value;
use ratio::{Table, Way};
use std::hint::black_box;
use std::time::Duration;
use tensor_layout::compute::{Arithmetic, Ordered, Summand};
use tensor_layout::{Host, Layout, tiled};

/// Measures pairs.
enum Measure {
    Statistics(Box<Criterion>),
    Table(Table),
}

impl Measure {
    fn row(&mut self, name: &str, bytes: usize, ways: &mut [Way<'_>]) {
        match self {
            Self::Statistics(criterion) => {
                let mut group = criterion.benchmark_group(name);
                group.throughput(Throughput::Bytes(bytes as u64));
                for (name, way) in ways {
                    group.bench_function(*name, |bencher| bencher.iter(&mut **way));
                }
            }
            Self::Table(table) => table.row(name, bytes, ways),
        }
    }
}

/// Memory to copy; the copy reads and writes the number of bytes of a row.
struct Memcpy {
    from: Vec<u8>,
    to: Vec<u8>,
}

impl Memcpy {
    /// For rows of at most `bytes`.
    fn new(bytes: usize) -> Self {
        Self { from: vec![1; bytes / 2], to: vec![2; bytes / 2] }
    }

    fn run(&mut self, bytes: usize) -> u8 {
        let to = &mut self.to[..bytes / 2];
        to.copy_from_slice(&black_box(&self.from)[..bytes / 2]);
        black_box(to)[0]
    }
}

/// Measures an operation on a packed array, on a plain slice, and by `ndarray`, and a copy.
macro_rules! row {
    ($measure:ident, $copy:ident, $name:expr, $bytes:expr, $packed:expr, $plain:expr, $ndarray:expr) => {
        $measure.row(
            &$name,
            $bytes,
            &mut [
                ("packed", &mut || _ = black_box($packed)),
                ("plain", &mut || _ = black_box($plain)),
                ("ndarray", &mut || _ = black_box($ndarray)),
                ("memcpy", &mut || _ = black_box($copy.run($bytes))),
            ],
        )
    };
}

fn rows<L: Layout>(measure: &mut Measure)
where
    Host<L>: Value + Summand + Ordered + Arithmetic,
{
    let spec = <L as Layout>::SPEC;
    let &[rows, columns] = spec.dims() else { unreachable!("matrices") };
    let bytes = spec.elements() * size_of::<Host<L>>();
    let name = |what: &str| format!("{what} {spec}");
    let mut copy = Memcpy::new(3 * bytes);

    let value = |i: usize| Host::<L>::of((i % 251) as f32);
    let mut a: Vec<Host<L>> = (0..rows * columns).map(value).collect();
    let (b, mut c) = (a.clone(), a.clone());
    let (row, column) = (b[..columns].to_vec(), b[..rows].to_vec());
    let mut x = L::pack(&a).unwrap();
    let (y, mut z) = (x.clone(), x.clone());
    let mut p = Array2::from_shape_vec([rows, columns], a.clone()).unwrap();
    let (q, mut r) = (p.clone(), p.clone());
    let (row_view, column_view) = (
        ArrayView2::from_shape([1, columns], &row).unwrap(),
        ArrayView2::from_shape([rows, 1], &column).unwrap(),
    );

    row!(
        measure,
        copy,
        name("map"),
        2 * bytes,
        x.map_in_place(Value::scale),
        plain::map(&mut a),
        p.mapv_inplace(Value::scale)
    );
    row!(
        measure,
        copy,
        name("add"),
        3 * bytes,
        y.as_ref().zip_into(x.as_ref(), &mut z.as_mut(), Value::add),
        plain::zip(&a, &b, &mut c),
        Zip::from(&mut r).and(&p).and(&q).for_each(|to, x, y| *to = x.add(*y))
    );
    row!(
        measure,
        copy,
        name("+="),
        3 * bytes,
        z += &y,
        plain::add_to(&mut c, &b),
        Zip::from(&mut r).and(&p).for_each(|to, x| *to = to.add(*x))
    );
    row!(
        measure,
        copy,
        name("add a row"),
        2 * bytes,
        x.zip_broadcast_in_place(&[1], &row, Value::add),
        plain::zip_row(&mut a, &row),
        Zip::from(&mut p).and_broadcast(&row_view).for_each(|x, y| *x = x.add(*y))
    );
    row!(
        measure,
        copy,
        name("add a column"),
        2 * bytes,
        x.zip_broadcast_in_place(&[0], &column, Value::add),
        plain::zip_column(&mut a, &column),
        Zip::from(&mut p).and_broadcast(&column_view).for_each(|x, y| *x = x.add(*y))
    );
    row!(
        measure,
        copy,
        name("row sum"),
        bytes,
        y.sum(&[1]),
        plain::row_sums(&b, columns),
        Value::sums(&q, 1)
    );
    row!(
        measure,
        copy,
        name("column sum"),
        bytes,
        y.sum(&[0]),
        plain::column_sums(&b, columns),
        Value::sums(&q, 0)
    );
    row!(measure, copy, name("total"), bytes, y.total(), plain::total(&b), Value::total(&q));
    row!(
        measure,
        copy,
        name("row max"),
        bytes,
        y.max(&[1]),
        plain::row_maxima(&b, columns),
        q.map_axis(Axis(1), |row| row.fold(f32::NEG_INFINITY, |max, x| x.widen().max(max)))
    );
    row!(
        measure,
        copy,
        name("row argmax"),
        bytes,
        y.argmax(&[1]),
        plain::row_places(&b, columns),
        q.map_axis(Axis(1), |row| {
            row.indexed_iter().fold((0, f32::NEG_INFINITY), |max, (i, x)| {
                if x.widen() > max.1 { (i, x.widen()) } else { max }
            })
        })
    );
}

fn main() {
    let mut arguments = std::env::args().skip_while(|argument| argument != "table");
    let mut measure = match arguments.next() {
        Some(_) => {
            let words = arguments.filter(|argument| argument != "--bench").collect();
            Measure::Table(Table::new(Duration::from_secs(2), words))
        }
        None => Measure::Statistics(Box::new(Criterion::default().configure_from_args())),
    };
    rows::<tiled!(f32[4096,4096]{1,0:T(8,128)})>(&mut measure);
    rows::<tiled!(bf16[4096,8192]{1,0:T(8,128)(2,1)})>(&mut measure);
    rows::<tiled!(f32[8,128]{1,0:T(8,128)})>(&mut measure);
    rows::<tiled!(f32[256,256]{1,0:T(8,128)})>(&mut measure);
    rows::<tiled!(bf16[256,256]{1,0:T(8,128)(2,1)})>(&mut measure);
}
