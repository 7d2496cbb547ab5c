//! Files that several programs write.

use super::*;
use safetensors::tensor::TensorView;

const RULES: &str = r#"
    split = tpu! @ ["model"=4] [{"model"}, {}]
    pruned = 2:4 pruned @ ["model"=2] [{}, {"model"}]
    blocks = q8_0
"#;

fn write_plain(file: &Temporary) {
    let bytes: Vec<u8> = (0..64 * 64 * 2_u32).map(|n| ((n * n) >> 7) as u8 & 0x3F).collect();
    let view = TensorView::new(safetensors::Dtype::BF16, vec![64, 64], &bytes).unwrap();
    let names = ["split", "pruned", "blocks", "whole"];
    let all = names.map(|name| (name, view.clone()));
    fs::write(&file.0, safetensors::serialize(all, None).unwrap()).unwrap();
}

#[test]
fn processes_that_share_the_work_write_the_file_of_one() {
    let (plain, alone) = (Temporary::new("together-plain"), Temporary::new("together-alone"));
    write_plain(&plain);
    let rules: Rules = RULES.parse().unwrap();
    let summary = Packer::new(rules.clone()).pack(&plain.0, &alone.0).unwrap();
    assert_eq!(summary.tensors, 4 + 2 + 1 + 1);
    let expected = fs::read(&alone.0).unwrap();
    // Locks belong to open files, so threads behave like processes. Some threads have nothing to do.
    for count in [1, 2, 3, 8, 11] {
        let shared = Temporary::new("together");
        let pack = |number| {
            let packer = Packer::new(rules.clone()).share(number, count);
            packer.pack(&plain.0, &shared.0).unwrap().tensors
        };
        let tensors: usize = std::thread::scope(|scope| {
            let pack = &pack;
            let threads: Vec<_> =
                (0..count).map(|number| scope.spawn(move || pack(number))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(tensors, summary.tensors);
        assert!(fs::read(&shared.0).unwrap() == expected, "{count}");
        // Also one after the other.
        fs::remove_file(&shared.0).unwrap();
        assert_eq!((0..count).map(pack).sum::<usize>(), tensors);
        assert!(fs::read(&shared.0).unwrap() == expected && !shared.partial().exists());
    }
}

#[test]
fn processes_without_tensors_write_a_file_of_none() {
    let (plain, shared) = (Temporary::new("none-plain"), Temporary::new("none"));
    let none: [(&str, TensorView<'_>); 0] = [];
    fs::write(&plain.0, safetensors::serialize(none, None).unwrap()).unwrap();
    for order in [[0, 1, 2], [2, 1, 0]] {
        let complete = order.map(|number| {
            let packer = Packer::new(Rules::default()).share(number, 3);
            packer.pack(&plain.0, &shared.0).unwrap().is_complete
        });
        assert_eq!(complete, order.map(|number| number == 0));
        assert_eq!(Checkpoint::open(&shared.0).unwrap().names().len(), 0);
        fs::remove_file(&shared.0).unwrap();
    }
}

/// A program that does not share the file can take any time, and is not waited for.
#[test]
fn a_file_that_is_not_shared_is_not_waited_for() {
    let file = Temporary::new("together-created");
    let mut writer = Writer::create(&file.0, announced()).unwrap();
    let error = Writer::share(&file.0, announced()).err().unwrap().to_string();
    assert!(error.contains("is being written by another program"), "{error}");
    for (name, _, bytes) in tensors() {
        writer.write(name, &bytes).unwrap();
    }
    writer.finish().unwrap();
    Checkpoint::open(&file.0).unwrap().verify().unwrap();
    assert!(!file.gate().exists());
}

#[test]
fn the_last_one_finishes_what_all_have_written() {
    let file = Temporary::new("together-last");
    let share = || Writer::share(&file.0, announced()).unwrap();
    let mut writers = [share(), share(), share()];
    for (number, (name, _, bytes)) in tensors().into_iter().enumerate() {
        writers[number % 3].write(name, &bytes).unwrap();
    }
    let [a, b, c] = writers;
    b.finish().unwrap();
    assert!(!file.0.exists() && file.partial().exists());
    // Another program, or one that announces other tensors, has to wait.
    let error = Writer::create(&file.0, announced()).err().unwrap().to_string();
    assert!(error.contains("is being written by another program"), "{error}");
    let error = Writer::share(&file.0, [("other", Rows::SPEC)]).err().unwrap().to_string();
    assert!(
        error.contains("other tensors, or those of other sources, are being written into"),
        "{error}"
    );
    a.finish().unwrap();
    assert!(!file.0.exists());
    c.finish().unwrap();
    assert!(file.0.exists() && !file.partial().exists() && !file.gate().exists());
    Checkpoint::open(&file.0).unwrap().verify().unwrap();
    let alone = Temporary::new("together-one");
    write(&alone);
    assert!(fs::read(&file.0).unwrap() == fs::read(&alone.0).unwrap());
}

#[test]
fn what_one_has_written_is_found_by_the_next() {
    let file = Temporary::new("together-missing");
    let share = || Writer::share(&file.0, announced()).unwrap();
    let (name, _, bytes) = tensors().swap_remove(0);
    let mut first = share();
    first.write(name, &bytes).unwrap();
    // A program that fails leaves the file to the others.
    drop(share());
    first.finish().unwrap();
    assert!(!file.0.exists() && file.partial().exists());
    let mut next = share();
    assert!(next.is_written(name) && !next.is_written("nibbles"));
    let (written, _, bytes) = tensors().swap_remove(3);
    next.append(written, &bytes[..10]).unwrap();
    assert!(!share().is_written(written), "it is not complete");
    next.append(written, &bytes[10..]).unwrap();
    // Also while the program that has written them goes on.
    let mut last = share();
    for (name, _, bytes) in &tensors()[1..] {
        assert_eq!(last.is_written(name), *name == written);
        if *name != written {
            last.write(name, bytes).unwrap();
        }
    }
    assert!(last.is_written(name) && last.append(name, &[]).is_err());
    last.finish().unwrap();
    assert!(!file.0.exists());
    next.finish().unwrap();
    Checkpoint::open(&file.0).unwrap().verify().unwrap();
}
