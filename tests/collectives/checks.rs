//! Every collective, on every device, for elements of 1 to 16 bytes and for devices that hold nothing.

use tensor_layout::half::bf16;
use tensor_layout::num_complex::Complex;
use tensor_layout::sharding::run::{Sharded, Transport};
use tensor_layout::sharding::{MeshType, ShardedLayout, reshard};
use tensor_layout::{Element, Host, Layout, mesh, sharded};

mesh! { pub(crate) Pod = ["x" = 2, "y" = 4] }

/// The global and the local array have one element type.
type Value<L> = Host<<L as ShardedLayout>::Global>;

/// The local array of a device, row-major, with `padding` past the end of the array.
fn local<L: ShardedLayout>(device: usize, array: &[Value<L>], padding: Value<L>) -> Vec<Value<L>> {
    let slice = L::shards().slice(device).expect("a device");
    let [rows, columns] = <[_; 2]>::try_from(slice).expect("two dimensions");
    let width = <L::Global as Layout>::DIMS.as_ref()[1];
    let sizes = <L::Local as Layout>::DIMS;
    let mut values = Vec::new();
    for row in 0..sizes.as_ref()[0] {
        for column in 0..sizes.as_ref()[1] {
            let (row, column) = (rows.start + row, columns.start + column);
            let is_there = row < rows.end && column < columns.end;
            values.push(if is_there { array[row * width + column] } else { padding });
        }
    }
    values
}

/// Scatters an array, reshards it by one collective of this name, and gathers it. After each step every device must
/// hold its part.
fn through<L, M, T>(transport: &mut T, collective: &str, array: &[Value<L>], then: &[Value<L>])
where
    L: ShardedLayout<Mesh = Pod>,
    M: ShardedLayout<Mesh = Pod>,
    M::Global:
        Layout<Element = <L::Global as Layout>::Element, Shape = <L::Global as Layout>::Shape>,
    L::Local: Layout<Element = <L::Global as Layout>::Element>,
    M::Local: Layout<Element = <L::Global as Layout>::Element>,
    Value<L>: Default,
    T: Transport,
{
    let dims = <L::Global as Layout>::DIMS;
    // Elements are sent as whole bytes.
    let width = <<L::Global as Layout>::Element as Element>::DTYPE.byte_width();
    let plan = reshard::plan(&Pod::MESH, &L::SHARDING, &M::SHARDING, dims.as_ref(), 8 * width);
    let names: Vec<_> = plan.iter().flatten().map(|step| step.collective.name()).collect();
    assert_eq!(names, [collective], "{} to {}", L::SHARDING, M::SHARDING);

    let (device, devices) = (transport.device(), transport.devices());
    let nothing = Value::<L>::default();
    let vec = array.to_vec();
    let own = Sharded::<L>::scatter(transport, 1, (device == 1).then_some(&vec)).expect("a shard");
    assert_eq!(own.local().unpack(), local::<L>(device, array, nothing), "{}", L::SHARDING);
    let before = transport.received();
    let other: Sharded<M> = own.reshard(transport).expect("another shard");
    let received = u128::from(transport.received() - before);
    let planned: u128 = plan.iter().flatten().map(|step| step.bytes).sum();
    // If elements cannot be divided evenly, some devices get one more.
    let most = planned + (width * devices) as u128;
    assert!(received <= most, "{collective}: {received} bytes, {planned} were planned");
    assert_eq!(other.local().unpack(), local::<M>(device, then, nothing), "{}", M::SHARDING);
    for root in [0, devices - 1] {
        let gathered = other.gather(transport, root).expect("an array");
        assert_eq!(gathered.as_deref(), (device == root).then_some(then));
    }
}

/// The collectives that move elements, for one type of element.
#[rustfmt::skip]
macro_rules! moves {
    ($transport:ident, $element:ident, $value:expr) => {{
        type Values = Vec<Host<tensor_layout::tiled!($element[1])>>;
        let array: Values = (0..16 * 24).map($value).collect();
        type Whole = sharded!($element[16,24] @ Pod [{}, {}]);
        type Rows = sharded!($element[16,24] @ Pod [{"y"}, {}]);
        type Columns = sharded!($element[16,24] @ Pod [{}, {"y"}]);
        type Minor = sharded!($element[16,24] @ Pod [{"y", "x"}, {}]);
        type Major = sharded!($element[16,24] @ Pod [{"x", "y"}, {}]);
        through::<Whole, Rows, _>($transport, "all_slice", &array, &array);
        through::<Rows, Whole, _>($transport, "all_gather", &array, &array);
        through::<Rows, Columns, _>($transport, "all_to_all", &array, &array);
        through::<Minor, Major, _>($transport, "collective_permute", &array, &array);
        // With three rows, the fourth device has none; with one element, all devices but one have none.
        let array: Values = (0..3 * 5).map($value).collect();
        type FewRows = sharded!($element[3,5] @ Pod [{"y"}, {}], padded);
        type FewColumns = sharded!($element[3,5] @ Pod [{}, {"y"}], padded);
        type FewMinor = sharded!($element[3,5] @ Pod [{"y", "x"}, {}], padded);
        type FewMajor = sharded!($element[3,5] @ Pod [{"x", "y"}, {}], padded);
        type Few = sharded!($element[3,5] @ Pod [{}, {}]);
        through::<FewRows, Few, _>($transport, "all_gather", &array, &array);
        through::<Few, FewColumns, _>($transport, "all_slice", &array, &array);
        through::<FewRows, FewColumns, _>($transport, "all_to_all", &array, &array);
        through::<FewMinor, FewMajor, _>($transport, "collective_permute", &array, &array);
        let array: Values = (7..8).map($value).collect();
        type One = sharded!($element[1,1] @ Pod [{}, {"x", "y"}], padded);
        type Everywhere = sharded!($element[1,1] @ Pod [{}, {}]);
        through::<One, Everywhere, _>($transport, "all_gather", &array, &array);
        // A dimension of size 0.
        type Zero = sharded!($element[0,4] @ Pod [{}, {}]);
        type ZeroSplit = sharded!($element[0,4] @ Pod [{}, {"y"}]);
        through::<ZeroSplit, Zero, _>($transport, "all_gather", &[], &[]);
        through::<Zero, ZeroSplit, _>($transport, "all_slice", &[], &[]);
    }};
}

/// Sums over the devices of an axis, for one type of element.
#[rustfmt::skip]
macro_rules! sums {
    ($transport:ident, $element:ident, $value:expr) => {{
        let value = |n: usize| $value(n % 8);
        let sum = |n: usize| $value(n % 8 * 4);
        type Partial = sharded!($element[6,3] @ Pod [{"x"}, {}], unreduced={"y"});
        type Sum = sharded!($element[6,3] @ Pod [{"x"}, {}]);
        let (array, sums): (Vec<_>, Vec<_>) = (0..18).map(|n| (value(n), sum(n))).unzip();
        through::<Partial, Sum, _>($transport, "all_reduce", &array, &sums);
        // There are fewer elements than devices, so some devices sum nothing.
        type OnePartial = sharded!($element[1,1] @ Pod [{}, {}], unreduced={"y"});
        type OneSum = sharded!($element[1,1] @ Pod [{}, {}]);
        through::<OnePartial, OneSum, _>($transport, "all_reduce", &[value(3)], &[sum(3)]);
    }};
}

/// All checks, which each of eight devices runs.
pub(crate) fn run<T: Transport>(transport: &mut T) {
    moves!(transport, pred, |n| n % 3 == 0);
    moves!(transport, s4, |n| (n % 15) as i8 - 7);
    moves!(transport, u8, |n| n as u8);
    moves!(transport, bf16, |n| bf16::from_f32(n as f32));
    moves!(transport, f32, |n| n as f32);
    moves!(transport, s64, |n| -(n as i64));
    moves!(transport, c64, |n| Complex::new(n as f32, -1.0));
    moves!(transport, c128, |n| Complex::new(n as f64, 0.5));
    sums!(transport, u8, |n| n as u8);
    sums!(transport, s16, |n| -(n as i16));
    sums!(transport, bf16, |n| bf16::from_f32(n as f32));
    sums!(transport, f32, |n| n as f32);
    sums!(transport, f64, |n| n as f64);
    sums!(transport, c64, |n| Complex::new(n as f32, -(n as f32)));
    sums!(transport, c128, |n| Complex::new(0.0, n as f64));
}
