//! Collectives between threads.

use tensor_layout::half::bf16;
use tensor_layout::sharding::run::threads::{self, Threads};
use tensor_layout::sharding::run::{RunError, Sharded, Transport, TransportError};
use tensor_layout::sharding::{Mesh, MeshType, ShardedLayout, reshard};
use tensor_layout::{mesh, sharded};

mesh! { Pod = ["x" = 2, "y" = 4] }
mesh! { Ring = ["x" = 2, "y" = 4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0] }

type Rows = sharded!(f32[16,24]{1,0:T(8,128)} @ Pod [{"x"}, {}]);
type Columns = sharded!(f32[16,24] @ Pod [{}, {"y"}]);
type Both = sharded!(f32[16,24]{0,1:T(2,2)} @ Pod [{"y", "x"}, {}]);
type Parts = sharded!(f32[16,24] @ Pod [{"y":(2)2}, {"y":(1)2, "x"}]);
type Whole = sharded!(f32[16,24] @ Pod [{}, {}]);
type Partial = sharded!(f32[16,24] @ Pod [{}, {"x"}], unreduced={"y"});
type Ragged = sharded!(s8[7,3] @ Pod [{"y"}, {"x"}], padded);
type RaggedRows = sharded!(s8[7,3] @ Pod [{"x"}, {}], padded);

fn values() -> Vec<f32> {
    (0..16 * 24).map(|n| n as f32).collect()
}

/// Scatters from device 3 as one type, reshards to the other and back, and gathers on device 5.
macro_rules! there_and_back {
    ($L:ty, $M:ty, $array:expr) => {
        let array = $array;
        let gathered = threads::run(8, |transport| {
            let root = (transport.device() == 3).then_some(array);
            let own = Sharded::<$L>::scatter(transport, 3, root).expect("a shard");
            let there: Sharded<$M> = own.reshard(transport).expect("another shard");
            let middle = there.gather(transport, 5).expect("an array");
            let back: Sharded<$L> = there.reshard(transport).expect("the shard again");
            assert_eq!(back.local().as_bytes(), own.local().as_bytes());
            (middle, back.gather(transport, 5).expect("an array"))
        });
        for (device, (middle, back)) in gathered.into_iter().enumerate() {
            assert_eq!(middle.as_ref(), (device == 5).then_some(array));
            assert_eq!(back.as_ref(), (device == 5).then_some(array));
        }
    };
}

#[test]
fn a_reshard_and_back_is_the_identity() {
    let array = values();
    there_and_back!(Rows, Columns, &array);
    there_and_back!(Rows, Both, &array);
    there_and_back!(Both, Parts, &array);
    there_and_back!(Parts, Whole, &array);
    there_and_back!(Columns, Parts, &array);
    let ragged = (0..21).collect();
    there_and_back!(Ragged, RaggedRows, &ragged);
}

#[test]
fn each_device_holds_its_slice() {
    let array = values();
    threads::run(8, |transport| {
        let device = transport.device();
        let own = Sharded::<Parts>::scatter(transport, 0, (device == 0).then_some(&array))
            .expect("a shard");
        let slice = Parts::slice(device).expect("a device");
        let expected: Vec<_> = slice[0]
            .clone()
            .flat_map(|row| slice[1].clone().map(move |column| (row * 24 + column) as f32))
            .collect();
        assert_eq!(own.local().unpack(), expected);
    });
}

#[test]
fn devices_receive_what_the_plan_says() {
    let array = values();
    let received = threads::run(8, |transport| {
        let own =
            Sharded::<Rows>::scatter(transport, 0, (transport.device() == 0).then_some(&array))
                .expect("a shard");
        let before = transport.received();
        own.reshard::<Columns, _>(transport).expect("a shard");
        transport.received() - before
    });
    let plan = reshard::plan(&Pod::MESH, &Rows::SHARDING, &Columns::SHARDING, &[16, 24], 32)
        .expect("a plan");
    let planned: u128 = plan.iter().map(|step| step.bytes).sum();
    assert!(
        received.iter().all(|&bytes| u128::from(bytes) <= planned),
        "{received:?} of {planned}"
    );
    assert!(
        received.iter().any(|&bytes| u128::from(bytes) == planned),
        "{received:?} of {planned}"
    );
}

#[test]
fn partial_sums_are_summed() {
    let array = values();
    threads::run(8, |transport| {
        let own =
            Sharded::<Partial>::scatter(transport, 0, (transport.device() == 0).then_some(&array))
                .expect("a shard");
        let gathered = own.gather(transport, 0).expect_err("parts of a sum").to_string();
        assert!(gathered.contains("each of 4 devices has a part of the same sum"), "{gathered}");
        let before = transport.received();
        let sum: Sharded<Whole> = own.reshard(transport).expect("a sum");
        let expected: Vec<_> = array.iter().map(|value| value * 4.0).collect();
        assert_eq!(sum.local().unpack(), expected);
        // 2 L (g - 1) / g for the sum, L for the gather.
        assert_eq!(transport.received() - before, 2 * 768 * 3 / 4 + 768);
    });
}

/// Of values that are unreduced by a maximum or a minimum, devices take that. What is not a number stays so.
#[test]
fn partial_maxima_and_minima_are_taken() {
    mesh! { Three = ["u" = 3] }
    type Most = sharded!(f32[3] @ Three [{}], unreduced=max{"u"});
    type Least = sharded!(bf16[3] @ Three [{}], unreduced=min{"u"});
    type OfFloats = sharded!(f32[3] @ Three [{}]);
    type OfNarrow = sharded!(bf16[3] @ Three [{"u"}]);
    assert_eq!(Most::SHARDING.to_string(), r#"<@Three, [{}], unreduced=max{"u"}>"#);
    let found = threads::run(3, |transport| {
        let device = transport.device() as f32;
        let own = [device, -device, if device == 1.0 { f32::NAN } else { 0.0 }];
        type Local<L> = <L as ShardedLayout>::Local;
        let most = Sharded::<Most>::new(Local::<Most>::pack(&own).expect("a shard"));
        let most: Sharded<OfFloats> = most.reshard(transport).expect("a maximum");
        let own = own.map(bf16::from_f32);
        let least = Sharded::<Least>::new(Local::<Least>::pack(&own).expect("a shard"));
        let least: Sharded<OfNarrow> = least.reshard(transport).expect("a minimum");
        (most.local().unpack(), least.local().unpack()[0].to_f32())
    });
    for (most, _) in &found {
        assert!(most[..2] == [2.0, 0.0] && most[2].is_nan(), "{most:?}");
    }
    let least: Vec<_> = found.iter().map(|(_, least)| *least).collect();
    assert!(least[..2] == [0.0, -2.0] && least[2].is_nan(), "{least:?}");
}

/// Devices 0 and 1 hold parts of one sum, devices 2 and 3 parts of another. They gather first, each from devices that hold
/// parts of the same sum.
#[test]
fn parts_of_different_sums_stay_apart() {
    mesh! { Parts4 = ["u" = 4] }
    type Split = sharded!(s32[2] @ Parts4 [{"u":(2)2}], unreduced={"u":(1)2});
    type Gathered = sharded!(s32[2] @ Parts4 [{}], unreduced={"u":(1)2});
    type Sum = sharded!(s32[2] @ Parts4 [{}]);
    type LocalOf = <Split as ShardedLayout>::Local;
    let found = threads::run(4, |transport| {
        let part = if transport.device() < 2 { 1 } else { 10 };
        let own = Sharded::<Split>::new(LocalOf::pack(&[part]).expect("a shard"));
        let gathered: Sharded<Gathered> = own.reshard(transport).expect("both parts");
        assert_eq!(gathered.local().unpack(), [part; 2]);
        let sum: Sharded<Sum> = gathered.reshard(transport).expect("a sum");
        let directly: Sharded<Sum> = own.reshard(transport).expect("a sum");
        (sum.local().unpack(), directly.local().unpack())
    });
    assert!(found.iter().all(|(sum, directly)| *sum == [11, 11] && *directly == [11, 11]));
}

/// 256 and fifteen ones are 271, and the nearest bf16 is 272. Added to a bf16 one at a time, each one would be lost.
#[test]
fn narrow_numbers_are_rounded_once() {
    mesh! { Sixteen = ["u" = 16] }
    type Part = sharded!(bf16[1] @ Sixteen [{}], unreduced={"u"});
    type Sum = sharded!(bf16[1] @ Sixteen [{}]);
    type Local = <Part as ShardedLayout>::Local;
    let sums = threads::run(16, |transport| {
        let part = bf16::from_f32(if transport.device() == 0 { 256.0 } else { 1.0 });
        let own = Sharded::<Part>::new(Local::pack(&[part]).expect("a shard"));
        own.reshard::<Sum, _>(transport).expect("a sum").local().unpack()
    });
    assert!(sums.iter().all(|sum| *sum == [bf16::from_f32(272.0)]), "{sums:?}");
}

#[test]
fn unreduced_axes_are_summed_part_by_part() {
    let mesh: Mesh = r#"<["u"=4]>"#.parse().expect("a mesh");
    let sharding = |text: &str| format!("<@m, [{{}}]{text}>").parse().expect("a sharding");
    let steps =
        |from: &str, to: &str| reshard::plan(&mesh, &sharding(from), &sharding(to), &[8], 32);
    // The rest of the axis is reduced; the part that stays unreduced is not.
    let half = steps(r#", unreduced={"u"}"#, r#", unreduced={"u":(2)2}"#).expect("a plan");
    assert_eq!(
        half.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [r#"all_reduce {"u":(1)2} -> [{}], unreduced={"u":(2)2}: 32 bytes"#]
    );
    let error = steps(r#", unreduced={"u":(1)2}"#, r#", unreduced={"u"}"#).expect_err("no plan");
    assert!(error.to_string().contains("is unreduced after the reshard, but not before"));
}

#[test]
fn what_cannot_be_is_an_error() {
    let array = values();
    let errors = threads::run(4, |transport| {
        Sharded::<Rows>::scatter(transport, 0, Some(&array)).err().map(|error| error.to_string())
    });
    assert!(
        errors
            .iter()
            .all(|error| error.as_deref()
                == Some("the mesh has 8 devices, the transport connects 4"))
    );
    let mut alone = Threads::connect(8);
    let error = Sharded::<Rows>::scatter(&mut alone[2], 2, None).err().expect("no array");
    assert!(matches!(error, RunError::NoArray { device: 2 }));
    drop(alone.split_off(1));
    let error =
        Sharded::<Rows>::scatter(&mut alone[0], 0, Some(&array)).err().expect("nobody there");
    assert_eq!(error.to_string(), "device 1 cannot be reached");
    assert_eq!(Ring::MESH.position(7), Some(0));
    // No device waits for one that has ended.
    let ended = threads::run(2, |transport| match transport.device() {
        0 => None,
        _ => transport.exchange(Vec::new(), &[0]).err(),
    });
    assert_eq!(ended[1].map(|error| error.device), Some(0));
}

#[test]
fn a_device_that_does_not_answer_is_named_when_the_time_limit_passes() {
    let (answer, answered) = std::sync::mpsc::channel::<()>();
    let answered = std::sync::Mutex::new(Some(answered));
    let errors = threads::run(2, |transport| match transport.device() {
        0 => {
            transport.set_time_limit(Some(std::time::Duration::from_millis(10)));
            let error = transport.exchange(Vec::new(), &[1]);
            answer.send(()).expect("device 1 waits");
            error.err()
        }
        _ => {
            let answered = answered.lock().expect("nobody panics").take().expect("one device 1");
            answered.recv().expect("device 0 gives up");
            None
        }
    });
    assert_eq!(errors, [Some(TransportError { device: 1 }), None]);
}
