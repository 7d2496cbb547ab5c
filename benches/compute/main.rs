//! Compute on packed arrays beside the same loop over a plain slice, in one run: criterion's statistics, or a table of
//! the fastest runs, taken in turn. GB/s count all bytes that are read and written.
//!
//! `cargo bench --bench compute`, or `cargo bench --bench compute -- table [words]` for rows that contain the words.

mod plain;
#[path = "../harness/ratio.rs"]
mod ratio;

use criterion::{Criterion, Throughput};
use plain::Value;
use ratio::Table;
use std::hint::black_box;
use std::time::Duration;
use tensor_layout::kernel::{Ordered, Summand};
use tensor_layout::{Host, Layout, tiled};

/// Measures pairs.
enum Measure {
    Statistics(Box<Criterion>),
    Table(Table),
}

impl Measure {
    fn pair<T, U>(
        &mut self,
        name: &str,
        bytes: usize,
        mut packed: impl FnMut() -> T,
        mut plain: impl FnMut() -> U,
    ) {
        match self {
            Self::Statistics(criterion) => {
                let mut group = criterion.benchmark_group(name);
                group.throughput(Throughput::Bytes(bytes as u64));
                group.bench_function("packed", |bencher| bencher.iter(&mut packed));
                group.bench_function("plain", |bencher| bencher.iter(&mut plain));
            }
            Self::Table(table) => {
                table.row(name, bytes, || drop(black_box(packed())), || drop(black_box(plain())));
            }
        }
    }
}

fn rows<L: Layout>(measure: &mut Measure)
where
    Host<L>: Value + Summand + Ordered,
{
    let spec = <L as Layout>::SPEC;
    let (columns, elements) = (spec.dims()[1], spec.elements());
    let bytes = elements * size_of::<Host<L>>();
    let name = |what: &str| format!("{what} {spec}");
    let mut a: Vec<Host<L>> = (0..elements).map(|i| Host::<L>::of((i % 251) as f32)).collect();
    let (b, mut c) = (a.clone(), a.clone());
    let mut x = L::pack(&a).unwrap();
    let (y, mut z) = (x.clone(), x.clone());

    measure.pair(&name("map"), 2 * bytes, || x.map_in_place(Value::scale), || plain::map(&mut a));
    let add = || y.as_ref().zip_into(x.as_ref(), &mut z.as_mut(), Value::add);
    measure.pair(&name("add"), 3 * bytes, add, || plain::zip(&a, &b, &mut c));
    let (row, column) = (b[..columns].to_vec(), b[..elements / columns].to_vec());
    let add_row = || x.zip_broadcast_in_place(&[1], &row, Value::add);
    measure.pair(&name("add a row"), 2 * bytes, add_row, || plain::zip_row(&mut a, &row));
    let add_column = || x.zip_broadcast_in_place(&[0], &column, Value::add);
    measure
        .pair(&name("add a column"), 2 * bytes, add_column, || plain::zip_column(&mut a, &column));
    measure.pair(&name("row sum"), bytes, || y.sum(&[1]), || plain::row_sums(&b, columns));
    measure.pair(&name("column sum"), bytes, || y.sum(&[0]), || plain::column_sums(&b, columns));
    measure.pair(&name("total"), bytes, || y.total(), || plain::total(&b));
    measure.pair(&name("row max"), bytes, || y.max(&[1]), || plain::row_maxima(&b, columns));
    measure.pair(&name("row argmax"), bytes, || y.argmax(&[1]), || plain::row_places(&b, columns));
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
