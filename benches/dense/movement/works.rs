//! The movements that are measured.

use crate::race::Runner;
use crate::{Measure, limits, peers};
use std::hint::black_box;
use tensor_layout::{DynLayout, Host, HostValue, Layout, Mover, Packed, movement, tiled};

/// Bytes that start at a page.
struct Pages(Vec<u8>, usize);

impl Pages {
    fn new(len: usize) -> Self {
        let bytes = vec![1; len + 4096];
        let start = bytes.as_ptr().align_offset(4096);
        Self(bytes, start)
    }

    fn whole_lines(&mut self, len: usize) -> &mut [u8] {
        &mut self.0[self.1..][..len / 64 * 64]
    }
}

/// The copies of the same number of bytes.
fn copies<'a>(runners: &mut Vec<Runner<'a>>, bytes: usize) {
    for (name, copy) in limits::copies() {
        let (mut from, mut to) = (Pages::new(bytes), Pages::new(bytes));
        runners.push((
            name.into(),
            Box::new(move || {
                copy(black_box(from.whole_lines(bytes)), black_box(to.whole_lines(bytes)));
            }),
        ));
    }
}

/// Values that start at a cache line, like buffers for accelerators.
struct Values<L: Layout>(Vec<Host<L>>, usize);

impl<L: Layout> Values<L> {
    fn new(len: usize) -> Self {
        let line = 64 / size_of::<Host<L>>();
        // Not zeros, whose memory the system would not provide until something is written.
        let values = vec![Host::<L>::from_le(&[1; 16]); len + line];
        let start = values.as_ptr().align_offset(64);
        Self(values, start.min(line))
    }

    fn slice(&mut self, len: usize) -> &mut [Host<L>] {
        &mut self.0[self.1..][..len]
    }
}

/// Packs and unpacks the layout `L`.
fn pack<L: Layout>(measure: &mut Measure, name: &str) {
    let elements = <L as Layout>::SPEC.elements();
    let bytes = L::BYTES.max(elements * size_of::<Host<L>>());
    let [mut a, mut b, mut c, mut d] = [(); 4].map(|()| Values::<L>::new(L::LEN.max(elements)));
    let [mut first, mut second] = [(); 2].map(|()| Packed::<L>::zeroed().unwrap());
    let strides = peers::Strides::of::<L>();
    let plain = <L as Layout>::SPEC.stored_bits() == 8 * size_of::<Host<L>>();
    {
        let values = &*a.slice(elements);
        let own = || L::pack_into(black_box(values), first.as_bytes_mut()).unwrap();
        let mut runners: Vec<Runner<'_>> = vec![("own".into(), Box::new(own))];
        copies(&mut runners, bytes);
        if plain {
            let run = || peers::pack::<L>(black_box(values), second.as_bytes_mut());
            runners.push(("loop".into(), Box::new(run)));
        }
        if let Some(strides) = &strides {
            let run = || strides.pack(black_box(values), b.slice(elements));
            runners.push(("ndarray".into(), Box::new(run)));
        }
        measure.work(&format!("pack {name}"), bytes, runners);
    }
    let packed = first.as_bytes();
    let own = || L::unpack_into(black_box(packed), a.slice(elements)).unwrap();
    let mut runners: Vec<Runner<'_>> = vec![("own".into(), Box::new(own))];
    copies(&mut runners, bytes);
    if plain {
        let run = || peers::unpack::<L>(black_box(packed), b.slice(elements));
        runners.push(("loop".into(), Box::new(run)));
    }
    if let Some(strides) = &strides {
        let run = || strides.unpack(black_box(c.slice(elements)), d.slice(elements));
        runners.push(("ndarray".into(), Box::new(run)));
    }
    measure.work(&format!("unpack {name}"), bytes, runners);
}

/// Packs a row-major array into a layout without tiles: a permutation of its dimensions.
fn permute<L: Layout>(measure: &mut Measure, name: &str) {
    let spec = <L as Layout>::SPEC;
    let (len, strides) = (spec.elements(), peers::Strides::of::<L>().expect("no tiles"));
    let [mut a, mut b, mut c] = [(); 3].map(|()| Values::<L>::new(len));
    let (mut packed, values) = (Packed::<L>::zeroed().unwrap(), &*a.slice(len));
    let own = || L::pack_into(black_box(values), packed.as_bytes_mut()).unwrap();
    let mut runners: Vec<Runner<'_>> = vec![("own".into(), Box::new(own))];
    copies(&mut runners, L::BYTES);
    let run = || strides.pack(black_box(values), b.slice(len));
    runners.push(("ndarray".into(), Box::new(run)));
    if let &[rows, columns] = spec.dims() {
        let c = c.slice(len);
        let run = move || transpose::transpose(black_box(values), c, columns, rows);
        runners.push(("transpose crate".into(), Box::new(run)));
    }
    measure.work(name, L::BYTES, runners);
}

/// Moves an array from one tiled layout to another.
fn relayout<L: Layout, M>(measure: &mut Measure, name: &str)
where
    M: Layout<Element = <L as Layout>::Element, Shape = <L as Layout>::Shape>,
{
    let mut from = Packed::<L>::zeroed().unwrap();
    // As above, memory that has been written.
    from.as_bytes_mut().fill(1);
    let mut to = Packed::<M>::zeroed().unwrap();
    let (source, destination) = (<L as Layout>::SPEC, <M as Layout>::SPEC);
    let run = move || {
        let from = black_box(from.as_bytes());
        source.relayout_bytes(from, &destination, to.as_bytes_mut()).unwrap();
    };
    let mut runners: Vec<Runner<'_>> = vec![("own".into(), Box::new(run))];
    copies(&mut runners, M::BYTES);
    measure.work(&format!("relayout {name}"), M::BYTES, runners);
}

macro_rules! each {
    ($function:ident $measure:ident: $($name:literal $layout:ty;)*) => {
        $( $function::<$layout>($measure, $name); )*
    };
}

pub(crate) fn all(measure: &mut Measure) {
    each! { pack measure:
        "f32[4096,4096] T(8,128)" tiled!(f32[4096,4096]{1,0:T(8,128)});
        "bf16[4096,4096] T(8,128)(2,1)" tiled!(bf16[4096,4096]{1,0:T(8,128)(2,1)});
        "s8[4096,4096] T(8,128)(4,1)" tiled!(s8[4096,4096]{1,0:T(8,128)(4,1)});
        "f32[4096,4096] T(2,128)" tiled!(f32[4096,4096]{1,0:T(2,128)});
        "f32[4096,4096] T(4,128)" tiled!(f32[4096,4096]{1,0:T(4,128)});
        "bf16[4096,4096] T(16,128)(2,1)" tiled!(bf16[4096,4096]{1,0:T(16,128)(2,1)});
        "s8[4096,4096] T(32,128)(4,1)" tiled!(s8[4096,4096]{1,0:T(32,128)(4,1)});
        "s4[4096,4096] T(8,128)(8,1)E(4)" tiled!(s4[4096,4096]{1,0:T(8,128)(8,1)E(4)});
        "bf16[16777216] T(1024)(128)(2,1)" tiled!(bf16[16777216]{0:T(1024)(128)(2,1)});
        "pred[4096,4096] T(32,128)(32,1)E(1)" tiled!(pred[4096,4096]{1,0:T(32,128)(32,1)E(1)});
        "f32[256,256] T(8,128)" tiled!(f32[256,256]{1,0:T(8,128)});
        "bf16[256,256] T(8,128)(2,1)" tiled!(bf16[256,256]{1,0:T(8,128)(2,1)});
        "s8[256,256] T(8,128)(4,1)" tiled!(s8[256,256]{1,0:T(8,128)(4,1)});
        "f32[8,128] T(8,128)" tiled!(f32[8,128]{1,0:T(8,128)});
        "bf16[8,128] T(8,128)(2,1)" tiled!(bf16[8,128]{1,0:T(8,128)(2,1)});
        "s8[8,128] T(8,128)(4,1)" tiled!(s8[8,128]{1,0:T(8,128)(4,1)});
        "f32[1000,1000] T(8,128)" tiled!(f32[1000,1000]{1,0:T(8,128)});
        "bf16[1000,1000] T(8,128)(2,1)" tiled!(bf16[1000,1000]{1,0:T(8,128)(2,1)});
        "s8[1000,1000] T(8,128)(4,1)" tiled!(s8[1000,1000]{1,0:T(8,128)(4,1)});
        "f32[3,5] T(8,128)" tiled!(f32[3,5]{1,0:T(8,128)});
        "f32[3,5] T(2,2)" tiled!(f32[3,5]{1,0:T(2,2)});
        "f32[4096,4096]{0,1} T(8,128)" tiled!(f32[4096,4096]{0,1:T(8,128)});
        "f32[64,48,1024] T(*,8,128)" tiled!(f32[64,48,1024]{2,1,0:T(*,8,128)});
        "f32[1024,1024] T(8,128)(4,64)" tiled!(f32[1024,1024]{1,0:T(8,128)(4,64)});
        "f32[999,1000] T(3,100)" tiled!(f32[999,1000]{1,0:T(3,100)});
        "bf16[1000,1200] T(5,6)(2,1)" tiled!(bf16[1000,1200]{1,0:T(5,6)(2,1)});
    }
    each! { permute measure:
        "transpose f32[4000,4048]" tiled!(f32[4000,4048]{0,1});
        "transpose f32[4096,4096]" tiled!(f32[4096,4096]{0,1});
        "transpose bf16[4000,4048]" tiled!(bf16[4000,4048]{0,1});
        "transpose s8[4000,4048]" tiled!(s8[4000,4048]{0,1});
        "transpose bf16[4096,4096]" tiled!(bf16[4096,4096]{0,1});
        "transpose s8[4096,4096]" tiled!(s8[4096,4096]{0,1});
        "transpose f32[1024,1024]" tiled!(f32[1024,1024]{0,1});
        "transpose bf16[1024,1024]" tiled!(bf16[1024,1024]{0,1});
        "transpose s8[1024,1024]" tiled!(s8[1024,1024]{0,1});
        "f32[256,256,256] to (2,1,0)" tiled!(f32[256,256,256]{0,1,2});
        "f32[256,256,256] to (1,0,2)" tiled!(f32[256,256,256]{2,0,1});
        "f32[256,256,256] to (0,2,1)" tiled!(f32[256,256,256]{1,2,0});
        "f32[256,256,256] to (2,0,1)" tiled!(f32[256,256,256]{1,0,2});
        "f32[256,256,256] to (1,2,0)" tiled!(f32[256,256,256]{0,2,1});
        "f32[64,64,64,64] to (0,2,1,3)" tiled!(f32[64,64,64,64]{3,1,2,0});
        "f32[64,64,64,64] to (3,2,1,0)" tiled!(f32[64,64,64,64]{0,1,2,3});
        "f32[64,64,64,64] to (0,3,1,2)" tiled!(f32[64,64,64,64]{2,1,3,0});
        "f32[64,64,64,64] to (1,0,3,2)" tiled!(f32[64,64,64,64]{2,3,0,1});
    }
    type Pairs = tiled!(bf16[4096,4096]{1,0:T(8,128)(2,1)});
    relayout::<Pairs, tiled!(bf16[4096,4096]{1,0:T(16,128)(2,1)})>(
        measure,
        "bf16[4096,4096] T(8,128)(2,1) to T(16,128)(2,1)",
    );
    relayout::<Pairs, tiled!(bf16[4096,4096]{1,0:T(32,128)(4,1)})>(
        measure,
        "bf16[4096,4096] T(8,128)(2,1) to T(32,128)(4,1)",
    );
    relayout::<Pairs, tiled!(bf16[4096,4096]{0,1:T(8,128)(2,1)})>(
        measure,
        "bf16[4096,4096] T(8,128)(2,1) to {0,1:T(8,128)(2,1)}",
    );
}

/// Packs and unpacks the layout `L` by a mover, by the type, and by a call that plans each time.
fn planned<L: Layout>(measure: &mut Measure, name: &str) {
    let spec = black_box(<L as Layout>::SPEC);
    let (pack, unpack) = (Mover::for_pack(&spec).unwrap(), Mover::for_unpack(&spec).unwrap());
    let mut values: [_; 4] = std::array::from_fn(|_| Values::<L>::new(spec.elements()));
    let mut packed: [_; 3] = std::array::from_fn(|_| Packed::<L>::zeroed().unwrap());
    {
        let [first, second, third] = packed.each_mut().map(Packed::as_bytes_mut);
        let values = &*values[0].slice(spec.elements());
        let runners: Vec<Runner<'_>> = vec![
            (
                "Mover".into(),
                Box::new(|| pack.run::<L::Element>(black_box(values), first).unwrap()),
            ),
            ("typed".into(), Box::new(|| L::pack_into(black_box(values), second).unwrap())),
            (
                "one-shot".into(),
                Box::new(|| movement::pack::<L::Element>(&spec, black_box(values), third).unwrap()),
            ),
        ];
        measure.ways(&format!("Mover: pack {name}"), L::BYTES, runners);
    }
    let packed = packed[0].as_bytes();
    let [_, first, second, third] = values.each_mut().map(|values| values.slice(spec.elements()));
    let runners: Vec<Runner<'_>> = vec![
        ("Mover".into(), Box::new(|| unpack.run::<L::Element>(black_box(packed), first).unwrap())),
        ("typed".into(), Box::new(|| L::unpack_into(black_box(packed), second).unwrap())),
        (
            "one-shot".into(),
            Box::new(|| movement::unpack::<L::Element>(&spec, black_box(packed), third).unwrap()),
        ),
    ];
    measure.ways(&format!("Mover: unpack {name}"), L::BYTES, runners);
}

/// Movements that are planned once at run time, compared with those that rustc plans, and those planned in each call.
pub(crate) fn at_run_time(measure: &mut Measure) {
    each! { planned measure:
        "s8[3,5] T(2,2)" tiled!(s8[3,5]{1,0:T(2,2)});
        "f32[8,128] T(8,128)" tiled!(f32[8,128]{1,0:T(8,128)});
        "s4[64,256] T(8,128)(8,1)E(4)" tiled!(s4[64,256]{1,0:T(8,128)(8,1)E(4)});
        "bf16[256,256] T(8,128)(2,1)" tiled!(bf16[256,256]{1,0:T(8,128)(2,1)});
    }
}
