//! Writers, also interrupted ones.

use super::*;
use crate::typed::Packed;

#[test]
fn a_writer_writes_what_is_announced_and_nothing_else() {
    let file = Temporary::new("writer");
    let twice = [("a", Rows::SPEC), ("a", Rows::SPEC)];
    assert!(Writer::create(&file.0, twice).is_err());
    for reserved in ["__metadata__", "__padding__.0"] {
        assert!(Writer::create(&file.0, [(reserved, Rows::SPEC)]).is_err());
    }
    let unbounded: TiledSpec = "f32[?,5]".parse().unwrap();
    assert!(Writer::create(&file.0, [("a", unbounded)]).is_err());
    assert!(!file.partial().exists());

    let mut writer = Writer::create(&file.0, announced()).unwrap();
    let rows = &tensors()[0].2;
    assert!(writer.write("other", rows).is_err());
    assert!(writer.write("rows", &rows[1..]).is_err());
    writer.append("rows", &rows[..10]).unwrap();
    assert!(writer.append("nibbles", &[0; 8]).is_err(), "`rows` is not complete");
    assert!(writer.append("rows", rows).is_err(), "too long");
    writer.append("rows", &rows[10..]).unwrap();
    assert!(writer.append("rows", &[]).is_err(), "twice");
    assert!(Writer::create(&file.0, announced()).is_err(), "it is locked");
    assert!(writer.finish().is_err(), "the others are missing");
    assert!(!file.0.exists() && !file.partial().exists());
}

/// The bytes of an array do not say how many of its rows are in use.
#[test]
fn a_bounded_array_is_read_at_its_bound() {
    type Keys = tiled!(f32[<=8,5]{1,0:T(4,8)});
    let file = Temporary::new("bounded");
    let mut keys = Packed::<Keys>::with_sizes([0, 5]).unwrap();
    keys.push_rows(&values()).unwrap();
    let mut writer = Writer::create(&file.0, [("keys", Keys::SPEC)]).unwrap();
    writer.write("keys", keys.as_bytes()).unwrap();
    writer.finish().unwrap();
    let checkpoint = Checkpoint::open(&file.0).unwrap();
    let view = checkpoint.get::<Keys>("keys").unwrap();
    assert_eq!((view.dims(), view.unpack()[..15].to_vec()), ([8, 5], values()));
    let mut read = Packed::<Keys>::from_bytes(view.as_bytes()).unwrap();
    read.set_len(0, 3).unwrap();
    assert_eq!(read, keys);
}

#[test]
fn an_interrupted_writer_is_gone_on_with() {
    let file = Temporary::new("resume");
    let mut writer = Writer::create(&file.0, announced()).unwrap();
    writer.write("rows", &tensors()[0].2).unwrap();
    writer.write("weights", &tensors()[3].2).unwrap();
    writer.append("nibbles", &[0; 3]).unwrap();
    writer.keep();
    drop(writer);
    // Data that the system loses is written again.
    let mut bytes = fs::read(file.partial()).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(file.partial(), bytes).unwrap();

    let mut writer = Writer::resume(&file.0, announced()).unwrap();
    let written: Vec<_> = tensors().iter().map(|(name, ..)| writer.is_written(name)).collect();
    assert_eq!(written, [true, false, false, false]);
    for (name, _, bytes) in &tensors()[1..] {
        writer.write(name, bytes).unwrap();
    }
    writer.finish().unwrap();
    Checkpoint::open(&file.0).unwrap().verify().unwrap();

    let mut writer = Writer::create(&file.0, announced()).unwrap();
    writer.keep();
    drop(writer);
    let writer = Writer::resume(&file.0, [("rows", Ragged::SPEC)]).unwrap();
    assert!(!writer.is_written("rows"), "another file is started anew");
}
