//! Writers, also interrupted ones.

use super::*;

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
