//! Random programs from a model that records which arrays have storage, and the same programs damaged.

use super::*;
use std::collections::{BTreeMap, BTreeSet};

/// Pseudorandom numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }
}

/// The location of an array of a value.
#[derive(Clone, PartialEq)]
enum Storage {
    /// In the array with this name in the listing.
    Of(String),
    /// In this array of a parameter of the computation.
    Parameter(usize, usize),
}

#[derive(Clone)]
enum Kind {
    Array,
    Tuple(Vec<Kind>),
}

impl Kind {
    fn text(&self) -> String {
        match self {
            Self::Array => "bf16[3,5]{1,0:T(8,128)(2,1)}".into(),
            Self::Tuple(kinds) => {
                let kinds: Vec<_> = kinds.iter().map(Self::text).collect();
                format!("({})", kinds.join(", /*index=5*/"))
            }
        }
    }

    fn count(&self) -> usize {
        match self {
            Self::Array => 1,
            Self::Tuple(kinds) => kinds.iter().map(Self::count).sum(),
        }
    }
}

#[derive(Clone)]
struct Known {
    name: String,
    kind: Kind,
    arrays: Vec<Storage>,
}

/// A program under construction, and its arrays with storage.
struct Model {
    random: Random,
    next: usize,
    /// The computations that are finished.
    text: String,
    /// Names of arrays, and whether they belong to something inside an instruction.
    stored: BTreeSet<String>,
}

struct Body {
    lines: String,
    values: Vec<Known>,
    parameters: Vec<Known>,
    root: Known,
}

impl Model {
    fn name(&mut self, what: &str) -> String {
        self.next += 1;
        format!("{what}.{}", self.next)
    }

    /// New arrays for a value of this name.
    fn own(&mut self, name: &str, kind: &Kind) -> Vec<Storage> {
        let count = kind.count();
        let called = |at| if count == 1 { name.to_string() } else { format!("{name}[{at}]") };
        let names: Vec<_> = (0..count).map(called).collect();
        self.stored.extend(names.iter().cloned());
        names.into_iter().map(Storage::Of).collect()
    }

    fn kind(&mut self, depth: usize) -> Kind {
        match self.random.below(4) {
            0 if depth > 0 => {
                let count = self.random.below(4);
                Kind::Tuple((0..count).map(|_| self.kind(depth - 1)).collect())
            }
            _ => Kind::Array,
        }
    }

    /// Writes a computation with these parameters, and returns the locations of its results.
    fn body(
        &mut self,
        kinds: &[Kind],
        is_entry: bool,
        depth: usize,
        result: Option<&Kind>,
    ) -> Body {
        let mut body = Body {
            lines: String::new(),
            values: Vec::new(),
            parameters: Vec::new(),
            root: Known { name: String::new(), kind: Kind::Array, arrays: Vec::new() },
        };
        for (number, kind) in kinds.iter().enumerate() {
            let name = self.name("p");
            let arrays = match is_entry {
                true => self.own(&name, kind),
                false => (0..kind.count()).map(|at| Storage::Parameter(number, at)).collect(),
            };
            body.lines += &format!("  %{name} = {} parameter({number})\n", kind.text());
            body.parameters.push(Known { name, kind: kind.clone(), arrays });
        }
        body.values = body.parameters.clone();
        for _ in 0..1 + self.random.below(8) {
            self.instruction(&mut body, depth);
        }
        // The result: any value, or one of the requested kind.
        body.root = match result {
            None => {
                let at = self.random.below(body.values.len());
                body.values[at].clone()
            }
            Some(kind) => {
                let arrays =
                    self.define(&mut body, kind, "custom-call(), custom_call_target=\"x\"");
                Known { arrays, ..body.values[body.values.len() - 1].clone() }
            }
        };
        body
    }

    /// Adds a value with arrays of its own.
    fn define(&mut self, body: &mut Body, kind: &Kind, operation: &str) -> Vec<Storage> {
        let name = self.name("v");
        let arrays = self.own(&name, kind);
        self.add(body, name, kind.clone(), arrays.clone(), operation);
        arrays
    }

    fn add(
        &mut self,
        body: &mut Body,
        name: String,
        kind: Kind,
        arrays: Vec<Storage>,
        operation: &str,
    ) {
        body.lines += &format!("  %{name} = {} {operation}\n", kind.text());
        body.values.push(Known { name, kind, arrays });
    }

    fn any(&mut self, body: &Body) -> Known {
        body.values[self.random.below(body.values.len())].clone()
    }

    /// Adds an instruction to a computation.
    fn instruction(&mut self, body: &mut Body, depth: usize) {
        let kind = self.kind(2);
        if body.values.is_empty() {
            self.define(body, &kind, "custom-call()");
            return;
        }
        let of = self.any(body);
        let (name, operand) = (self.name("v"), format!("%{}", of.name));
        match self.random.below(14) {
            0 => self.tuple(body, name),
            1..3 => self.element(body, name, &of),
            3 => {
                let operation = ["opt-barrier", "bitcast"][self.random.below(2)];
                self.add(body, name, of.kind, of.arrays, &format!("{operation}({operand})"));
            }
            4 => self.copy(body, name, &of),
            5..7 => {
                // The values in a computation that a fusion applies have no storage.
                let kept = self.stored.clone();
                let inner = self.body(std::slice::from_ref(&of.kind), false, 0, Some(&kind));
                self.stored = kept;
                let called = self.finish(inner, "fused");
                let operation = format!("fusion({operand}), kind=kLoop, calls=%{called}");
                self.define(body, &kind, &operation);
            }
            7..9 if depth > 0 => self.call(body, name, &of, depth - 1),
            9 if depth > 0 => self.repeated(body, name, of, depth - 1),
            10 if depth > 0 => self.conditional(body, &kind, &of, depth - 1),
            11 if depth > 0 => self.asynchronous(body, name, (&of, kind), depth - 1),
            12 => self.update(body, name, &of),
            _ => {
                let operation = ["add", "custom-call", "all-reduce"][self.random.below(3)];
                self.define(body, &kind, &format!("{operation}({operand}, {operand})"));
            }
        }
    }

    /// A tuple of some of the values of a computation.
    fn tuple(&mut self, body: &mut Body, name: String) {
        let parts: Vec<_> = (0..self.random.below(4)).map(|_| self.any(body)).collect();
        let names: Vec<_> = parts.iter().map(|part| format!("%{}", part.name)).collect();
        let arrays = parts.iter().flat_map(|part| part.arrays.clone()).collect();
        let kind = Kind::Tuple(parts.into_iter().map(|part| part.kind).collect());
        self.add(body, name, kind, arrays, &format!("tuple({})", names.join(", ")));
    }

    /// An element of a value, if that is a tuple.
    fn element(&mut self, body: &mut Body, name: String, of: &Known) {
        let Kind::Tuple(kinds) = &of.kind else { return };
        let Some(last) = kinds.len().checked_sub(1) else { return };
        let index = self.random.below(last + 1);
        let start: usize = kinds[..index].iter().map(Kind::count).sum();
        let arrays = of.arrays[start..start + kinds[index].count()].to_vec();
        let operation = format!("get-tuple-element(%{}), index={index}", of.name);
        self.add(body, name, kinds[index].clone(), arrays, &operation);
    }

    /// An asynchronous copy of a value, or a message of it, if that is an array.
    fn copy(&mut self, body: &mut Body, name: String, of: &Known) {
        if !matches!(of.kind, Kind::Array) {
            return;
        }
        if self.random.below(3) == 0 {
            self.stored.insert(format!("{name}[1]"));
            body.lines +=
                &format!("  %{name} = ({}, u32[], token[]) send(%{})\n", of.kind.text(), of.name);
            let sent = self.name("v");
            let element = format!("get-tuple-element(%{name}), index=0");
            self.add(body, sent, Kind::Array, of.arrays.clone(), &element);
            return;
        }
        let start = Kind::Tuple(vec![Kind::Array, Kind::Array, Kind::Array]);
        self.stored.extend([format!("{name}[0]"), format!("{name}[2]")]);
        let copy = vec![Storage::Of(format!("{name}[0]"))];
        body.lines += &format!("  %{name} = {} copy-start(%{})\n", start.text(), of.name);
        let done = self.name("v");
        self.add(body, done, Kind::Array, copy, &format!("copy-done(%{name})"));
    }

    /// An update of a value, if that is an array: in the storage of the value, unless that is an argument.
    fn update(&mut self, body: &mut Body, name: String, of: &Known) {
        if !matches!(of.kind, Kind::Array) {
            return;
        }
        let is_argument = matches!(&of.arrays[0], Storage::Of(array) if array.starts_with('p'));
        let arrays = if is_argument { self.own(&name, &of.kind) } else { of.arrays.clone() };
        let operation = format!("dynamic-update-slice(%{0}, %{0})", of.name);
        self.add(body, name, Kind::Array, arrays, &operation);
    }

    /// A call of a new computation.
    fn call(&mut self, body: &mut Body, name: String, of: &Known, depth: usize) {
        let inner = self.body(std::slice::from_ref(&of.kind), false, depth, None);
        self.give_back(&inner);
        let (root, count) = (inner.root.clone(), inner.root.kind.count());
        let array = |at: usize| match &root.arrays[at] {
            Storage::Parameter(_, array) => of.arrays[*array].clone(),
            Storage::Of(_) if count == 1 => Storage::Of(name.clone()),
            Storage::Of(_) => Storage::Of(format!("{name}[{at}]")),
        };
        let arrays: Vec<_> = (0..count).map(array).collect();
        for (at, storage) in root.arrays.iter().enumerate() {
            if matches!(storage, Storage::Of(_)) {
                let Storage::Of(name) = &arrays[at] else { continue };
                self.stored.insert(name.clone());
            }
        }
        let called = self.finish(inner, "called");
        let operation = format!("call(%{}), to_apply=%{called}", of.name);
        self.add(body, name, root.kind, arrays, &operation);
    }

    /// A loop over a value.
    fn repeated(&mut self, body: &mut Body, name: String, of: Known, depth: usize) {
        let kinds = std::slice::from_ref(&of.kind);
        let inner = self.body(kinds, false, depth, Some(&of.kind));
        self.give_back(&inner);
        let inner = self.finish(inner, "body");
        let condition = self.body(kinds, false, 0, Some(&Kind::Array));
        let condition = self.finish(condition, "condition");
        let operation = format!("while(%{}), condition=%{condition}, body=%{inner}", of.name);
        self.add(body, name, of.kind, of.arrays, &operation);
    }

    /// A choice between two new computations.
    fn conditional(&mut self, body: &mut Body, kind: &Kind, of: &Known, depth: usize) {
        let [first, second] = [(); 2].map(|()| {
            let branch = self.body(std::slice::from_ref(&of.kind), false, depth, Some(kind));
            self.give_back(&branch);
            self.finish(branch, "branch")
        });
        let branches = match self.random.below(2) {
            0 => format!("branch_computations={{%{first}, %{second}}}"),
            _ => format!("true_computation=%{first}, false_computation=%{second}"),
        };
        let operand = format!("%{}", of.name);
        let operation = format!("conditional({operand}, {operand}, {operand}), {branches}");
        self.define(body, kind, &operation);
    }

    /// A computation that starts in one instruction and is done in another.
    fn asynchronous(
        &mut self,
        body: &mut Body,
        name: String,
        (of, kind): (&Known, Kind),
        depth: usize,
    ) {
        let forms = [("async", "calls"), ("call", "to_apply"), ("fusion", "kind=kLoop, calls")];
        let (operation, calls) = forms[self.random.below(3)];
        // The values that a fusion computes have no storage.
        let kept = self.stored.clone();
        let inner = self.body(std::slice::from_ref(&of.kind), false, depth, Some(&kind));
        match operation {
            "fusion" => self.stored = kept,
            _ => self.give_back(&inner),
        }
        let called = self.finish(inner, "async");
        let operands = Kind::Tuple(vec![of.kind.clone()]);
        let start = Kind::Tuple(vec![operands, kind.clone(), Kind::Array]);
        let (first, count) = (of.kind.count(), kind.count());
        let storage = |at| format!("{name}[{}]", first + at);
        // If a start has a single array, that array has the name of the start.
        let storage = |at| if start.count() == 1 { name.clone() } else { storage(at) };
        self.stored.extend((0..=count).map(storage));
        let arrays = (0..count).map(|at| Storage::Of(storage(at))).collect();
        body.lines += &format!(
            "  %{name} = {} {operation}-start(%{}), {calls}=%{called}\n",
            start.text(),
            of.name
        );
        let mut last = name;
        for _ in 0..self.random.below(3) {
            let update = self.name("v");
            body.lines += &format!("  %{update} = {} {operation}-update(%{last})\n", start.text());
            last = update;
        }
        if self.random.below(2) == 0 {
            // The operand, as the operation forwards it.
            let (forwarded, operand) = (self.name("v"), self.name("v"));
            let operands = format!("({})", of.kind.text());
            body.lines +=
                &format!("  %{forwarded} = {operands} get-tuple-element(%{last}), index=0\n");
            let element = format!("get-tuple-element(%{forwarded}), index=0");
            self.add(body, operand, of.kind.clone(), of.arrays.clone(), &element);
        }
        let done = self.name("v");
        self.add(body, done, kind, arrays, &format!("{operation}-done(%{last})"));
    }

    /// The result of a computation is storage of the instruction that calls it.
    fn give_back(&mut self, body: &Body) {
        for array in &body.root.arrays {
            if let Storage::Of(name) = array {
                self.stored.remove(name);
            }
        }
    }

    /// Writes a computation, and returns its name.
    fn finish(&mut self, body: Body, what: &str) -> String {
        let name = self.name(what);
        let root = format!("  %{} = ", body.root.name);
        let lines = body.lines.replace(&root, &format!("  ROOT %{} = ", body.root.name));
        let entry = if what == "main" { "ENTRY " } else { "" };
        let comment = "/* %no = f32[9]{0} add(%a, %b)\n  %no = f32[9]{0} add() */\n";
        self.text += &format!("{entry}%{name} (p: f32[]) -> f32[] {{\n{lines}}}\n\n{comment}");
        name
    }
}

fn program(seed: u64) -> (Model, Vec<Known>, Known) {
    let random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let text = "HloModule random, entry_computation_layout={()->f32[]}\n\n".into();
    let mut model = Model { random, next: 0, text, stored: BTreeSet::new() };
    let kinds: Vec<_> = (0..model.random.below(4)).map(|_| model.kind(1)).collect();
    let body = model.body(&kinds, true, 3, None);
    let (parameters, root) = (body.parameters.clone(), body.root.clone());
    model.finish(body, "main");
    (model, parameters, root)
}

#[test]
fn the_arrays_of_random_programs_are_those_of_the_model() {
    for seed in 0..if cfg!(debug_assertions) { 500 } else { 100_000 } {
        let (model, parameters, root) = program(seed);
        let text = cleaned(model.text.clone());
        let dump = Dump::read(&text);
        let (mut found, mut arguments, mut outputs) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for value in dump.values() {
            for (at, array) in value.arrays.iter().enumerate() {
                let name = match value.arrays.len() {
                    1 => value.name.clone(),
                    _ => format!("{}[{at}]", value.name),
                };
                if let Some(Array { alive, .. }) = array {
                    // It is written by an instruction that runs, and no later than it is read.
                    assert!(
                        *alive.start() > 0 && alive.start() <= alive.end(),
                        "{name}: {alive:?}"
                    );
                    assert!(dump.running(*alive.end()).is_some(), "{name}: {alive:?}");
                }
                match array.as_ref().map(|array| array.role) {
                    None => continue,
                    Some(Role::Argument) => _ = arguments.insert(name.clone()),
                    Some(Role::Output) => _ = outputs.insert(name.clone()),
                    Some(Role::Constant | Role::Temporary) => {}
                }
                assert!(found.insert(name), "seed {seed}: {}\n{}", value.name, model.text);
            }
        }
        let names = |values: &[Known]| -> BTreeSet<String> {
            let arrays = values.iter().flat_map(|value| &value.arrays);
            let name = |array: &Storage| match array {
                Storage::Of(name) => Some(name.clone()),
                Storage::Parameter(..) => None,
            };
            arrays.filter_map(name).collect()
        };
        assert_eq!(found, model.stored, "seed {seed}:\n{}", model.text);
        assert_eq!(arguments, names(&parameters), "seed {seed}:\n{}", model.text);
        let given_back: BTreeSet<_> =
            names(std::slice::from_ref(&root)).difference(&arguments).cloned().collect();
        assert_eq!(outputs, given_back, "seed {seed}:\n{}", model.text);
        let shapes: Vec<_> = dump.outputs().collect();
        assert_eq!(shapes.len(), 1);
        assert_eq!(shapes[0].arrays().count(), root.kind.count(), "seed {seed}:\n{}", model.text);
    }
}

#[test]
fn damaged_programs_are_read_without_a_panic() {
    for seed in 0..if cfg!(debug_assertions) { 500 } else { 100_000 } {
        let (mut model, ..) = program(seed);
        let mut bytes = model.text.clone().into_bytes();
        for _ in 0..1 + model.random.below(20) {
            let at = model.random.below(bytes.len());
            match model.random.below(4) {
                0 => _ = bytes.remove(at),
                1 => bytes.insert(at, b"(){}[]\"/*%,=\n \xC3"[model.random.below(15)]),
                2 => bytes[at] = b"(){}[]\"/*%,=\n 019"[model.random.below(17)],
                _ => {
                    let (from, len) = (model.random.below(bytes.len()), model.random.below(200));
                    let piece = bytes[from..bytes.len().min(from + len)].to_vec();
                    bytes.splice(at..at, piece);
                }
            }
        }
        let text = cleaned(String::from_utf8_lossy(&bytes).into_owned());
        let dump = Dump::read(&text);
        let arrays: usize = dump.values().map(|value| value.arrays.len()).sum();
        assert!(arrays < bytes.len() && dump.outputs().count() < bytes.len());
    }
}

#[test]
fn views_without_an_end_are_read() {
    let text = "ENTRY %main () -> f32[] {\n  %a = f32[3]{0} bitcast(%b)\n  \
                %b = f32[3]{0} bitcast(%a)\n  ROOT %c = f32[3]{0} call(%c), to_apply=%main\n}\n";
    let dump = Dump::read(text);
    assert_eq!(dump.values().map(|value| value.name).collect::<Vec<_>>(), ["c"]);
}

/// The arrays with storage and the instructions during which they are alive, of the program with these instructions.
fn alive(instructions: &str) -> BTreeMap<String, RangeInclusive<usize>> {
    let text = format!("HloModule m\n\nENTRY %main () -> f32[] {{\n{instructions}}}\n");
    alive_in(&text)
}

fn alive_in(text: &str) -> BTreeMap<String, RangeInclusive<usize>> {
    let text = cleaned(text.into());
    let dump = Dump::read(&text);
    let arrays = dump.values().flat_map(|value| {
        let (name, count) = (value.name, value.arrays.len());
        let called = move |at| if count == 1 { name.clone() } else { format!("{name}[{at}]") };
        let arrays = value.arrays.into_iter().enumerate();
        arrays.filter_map(move |(at, array)| Some((called(at), array?.alive)))
    });
    arrays.collect()
}

#[test]
fn a_concatenation_in_place_is_a_view_of_all_its_operands() {
    let found = alive(
        "  %x = f32[8]{0} parameter(0)
  %a = f32[4]{0} negate(%x)
  %b = f32[4]{0} exponential(%x)
  %c = f32[8]{0} custom-call(%a, %b), custom_call_target=\"ConcatBitcast\"
  %d = f32[8]{0} negate(%c)
  %e = f32[8]{0} add(%c, %d)
  ROOT %f = f32[8]{0} negate(%e)
",
    );
    assert_eq!(found["a"], 2..=6);
    assert_eq!(found["b"], 3..=6);
    assert!(!found.contains_key("c"), "{found:?}");
    // Both parts of a result are results, and both are in the memory of an argument.
    let text = "HloModule m, input_output_alias={ {}: (0, {}, may-alias) }

ENTRY %main (x: f32[8]) -> f32[8] {
  %x = f32[8]{0} parameter(0)
  %a = f32[4]{0} slice(%x)
  %b = f32[4]{0} exponential(%x)
  ROOT %c = f32[8]{0} custom-call(%a, %b), custom_call_target=\"ConcatBitcast\"
}
";
    let roles = |text: &str| -> Vec<_> {
        let values = Dump::read(text).values().collect::<Vec<_>>().into_iter();
        let arrays = values.flat_map(|value| value.arrays).flatten();
        arrays.map(|array| array.role.name()).collect()
    };
    assert_eq!(roles(text), ["argument"]);
    let other = text.replace("input_output_alias", "other");
    assert_eq!(roles(&other), ["argument", "output", "output"]);
}

#[test]
fn what_the_compiler_joins_in_place_is_alive_until_the_whole_is_read() {
    for (name, whole, reader, bytes) in [
        ("blockgrad512", "custom-call.1", "fusion.12", 4 * 524_288),
        ("block384", "custom-call", "fusion.25", 4 * 294_912),
    ] {
        let path = format!("{}/tests/golden/hlo/{name}.hlo", env!("CARGO_MANIFEST_DIR"));
        let text = cleaned(std::fs::read_to_string(path).expect("a file"));
        let dump = Dump::read(&text);
        let (mut parts, mut sum) = (0, 0);
        for value in dump.values() {
            assert_ne!(value.name, whole);
            if !value.name.starts_with("slice-start") {
                continue;
            }
            // The second array is the slice.
            let array = value.arrays[1].as_ref().expect("storage");
            let (last, _) = dump.running(*array.alive.end()).expect("an instruction");
            assert_eq!(last, reader, "{name}: {}", value.name);
            sum += value.shape.arrays().nth(1).expect("a slice").storage_bytes();
            parts += 1;
        }
        assert_eq!((parts, sum), (4, bytes), "{name}");
    }
}

/// What an operation calls when it is started asynchronously, in XLA's short form.
#[test]
fn operations_that_start_call_what_they_call_otherwise() {
    let inner = |operation: &str, attributes: &str| {
        let text = format!(
            "HloModule m

%called (p: f32[8]) -> f32[8] {{
  %p = f32[8]{{0}} parameter(0)
  %inner = f32[64]{{0}} broadcast(%p)
  ROOT %r = f32[8]{{0}} slice(%inner)
}}

ENTRY %main (x: f32[8]) -> f32[8] {{
  %x = f32[8]{{0}} parameter(0)
  %y = f32[8]{{0}} negate(%x)
  %s = ((f32[8]{{0}}), f32[8]{{0}}, u32[]) {operation}-start(%y), {attributes}
  ROOT %d = f32[8]{{0}} {operation}-done(%s)
}}
"
        );
        alive_in(&text).contains_key("inner")
    };
    for (operation, attributes) in [
        ("async", "calls=%called"),
        ("async", "async_execution_thread=\"host\", calls=%called"),
        ("call", "to_apply=%called"),
        ("call", "async_execution_thread=\"host\", to_apply=%called"),
    ] {
        assert!(inner(operation, attributes), "{operation}-start {attributes}");
    }
    for (operation, attributes) in [
        ("fusion", "kind=kLoop, calls=%called"),
        ("fusion", "kind=kCustom, calls=%called, async_execution_thread=\"host\""),
        ("custom-call", "custom_call_target=\"t\", called_computations={%called}"),
        ("all-reduce", "to_apply=%called"),
        ("reduce-scatter", "dimensions={0}, to_apply=%called"),
        ("reduce", "dimensions={0}, to_apply=%called"),
        ("sort", "dimensions={0}, to_apply=%called"),
    ] {
        assert!(!inner(operation, attributes), "{operation}-start {attributes}");
    }
}

#[test]
fn what_is_started_may_share_the_storage_of_its_operands() {
    for operation in ["fusion", "custom-call"] {
        let found = alive(&format!(
            "  %x = f32[8]{{0}} parameter(0)
  %y = f32[8]{{0}} negate(%x)
  %s = ((f32[8]{{0}}), f32[8]{{0}}, u32[]) {operation}-start(%y), output_to_operand_aliasing={{{{}}: (0, {{}})}}
  %d = f32[8]{{0}} {operation}-done(%s)
  ROOT %r = f32[8]{{0}} negate(%d)
"
        ));
        let names: Vec<_> = found.keys().map(String::as_str).collect();
        assert_eq!(names, ["r", "s[2]", "x", "y"], "{operation}");
        assert_eq!(found["y"], 2..=5);
    }
}

/// The names of the arrays with storage.
fn stored_in(text: &str) -> Vec<String> {
    alive_in(text).into_keys().collect()
}

#[test]
fn updates_are_in_the_storage_of_arguments_that_are_donated() {
    let text = "HloModule m, input_output_alias={ {}: (0, {}, may-alias) }

ENTRY %main (p: f32[8], x: f32[1], i: s32[]) -> f32[8] {
  %p = f32[8]{0} parameter(0)
  %x = f32[1]{0} parameter(1)
  %i = s32[] parameter(2)
  %a = f32[8]{0} dynamic-update-slice(%p, %x, %i)
  ROOT %b = f32[8]{0} dynamic-update-slice(%a, %x, %i)
}
";
    assert_eq!(stored_in(text), ["i", "p", "x"]);
    // Otherwise XLA updates a copy.
    assert_eq!(stored_in(&text.replace("input_output_alias", "other")), ["a", "i", "p", "x"]);
}

#[test]
fn what_is_updated_in_place_is_alive_as_long_as_any_of_its_values() {
    let found = alive(
        "  %x = f32[8]{0} parameter(0)
  %i = s32[1]{0} parameter(1)
  %a = f32[8]{0} negate(%x)
  %b = f32[8]{0} negate(%x)
  %c = (f32[8]{0}, f32[8]{0}) scatter(%a, %b, %i, %x, %x), to_apply=%pair
  %d = f32[8]{0} get-tuple-element(%c), index=1
  %e = (f32[8]{0}, f32[8]{0}) all-reduce-start(%a, %d), to_apply=%add
  %f = (f32[8]{0}, f32[8]{0}) all-reduce-done(%e)
  %g = f32[8]{0} get-tuple-element(%f), index=0
  %k = f32[8]{0} constant({...})
  %l = f32[8]{0} dynamic-update-slice(%k, %g, %i)
  ROOT %r = f32[8]{0} add(%l, %b)
",
    );
    let names: Vec<_> = found.keys().map(String::as_str).collect();
    // A constant is not overwritten.
    assert_eq!(names, ["a", "b", "i", "k", "l", "r", "x"]);
    assert_eq!((&found["a"], &found["b"]), (&(3..=11), &(4..=12)));
}

#[test]
fn fusions_update_the_parameters_that_their_roots_update() {
    let fusion = |lines: &str| {
        stored_in(&format!(
            "HloModule m

%inner (q: f32[8], y: f32[1], j: s32[]) -> f32[8] {{
  %y = f32[1]{{0}} parameter(1)
  %j = s32[] parameter(2)
  %q = f32[8]{{0}} parameter(0)
  ROOT %z = f32[8]{{0}} dynamic-update-slice(%q, %y, %j)
}}

%fused (i: s32[], v: f32[1], p: f32[8]) -> f32[8] {{
  %i = s32[] parameter(0)
  %v = f32[1]{{0}} parameter(1)
  %p = f32[8]{{0}} parameter(2)
{lines}}}

ENTRY %main (i: s32[], v: f32[1], x: f32[8]) -> f32[8] {{
  %i = s32[] parameter(0)
  %v = f32[1]{{0}} parameter(1)
  %x = f32[8]{{0}} parameter(2)
  %a = f32[8]{{0}} negate(%x)
  %f = f32[8]{{0}} fusion(%i, %v, %a), kind=kLoop, calls=%fused
  ROOT %r = f32[8]{{0}} negate(%f)
}}
"
        ))
    };
    for in_place in [
        "  ROOT %d = f32[8]{0} dynamic-update-slice(%p, %v, %i)\n",
        "  ROOT %d = f32[8]{0} scatter(%p, %i, %v), to_apply=%add\n",
        "  ROOT %d = f32[8]{0} fusion(%p, %v, %i), kind=kLoop, calls=%inner\n",
        "  %d = f32[8]{0} fusion(%p, %v, %i), kind=kLoop, calls=%inner
  ROOT %e = f32[8]{0} dynamic-update-slice(%d, %v, %i)\n",
        "  %b = f32[1,8]{1,0} bitcast(%p)
  %d = f32[1,8]{1,0} dynamic-update-slice(%b, %v, %i, %i)
  %t = (s32[], f32[1,8]{1,0}) tuple(%i, %d)
  %e = f32[1,8]{1,0} get-tuple-element(%t), index=1
  ROOT %g = f32[8]{0} bitcast(%e)\n",
    ] {
        assert_eq!(fusion(in_place), ["a", "i", "r", "v", "x"], "{in_place}");
    }
    for other in [
        "  ROOT %d = f32[8]{0} bitcast(%p)\n",
        "  ROOT %d = f32[8]{0} negate(%p)\n",
        "  %k = f32[8]{0} constant({...})
  ROOT %d = f32[8]{0} dynamic-update-slice(%k, %v, %i)\n",
        "  %d = f32[8]{0} dynamic-update-slice(%p, %v, %i)
  ROOT %e = f32[8]{0} dynamic-update-slice(%d, %v, %i)\n",
    ] {
        assert_eq!(fusion(other), ["a", "f", "i", "r", "v", "x"], "{other}");
    }
}

#[test]
fn constants_are_neither_temporaries_nor_results() {
    let text = "ENTRY %main () -> f32[8] {
  %k = f32[8]{0} constant({...})
  %l = f32[8]{0} constant({...})
  %a = f32[8]{0} add(%k, %k)
  %b = f32[8]{0} negate(%a)
  ROOT %t = (f32[8]{0}, f32[8]{0}) tuple(%b, %l)
}
";
    let dump = Dump::read(text);
    let roles: Vec<_> = dump
        .values()
        .filter_map(|value| Some((value.name, value.arrays.into_iter().next()??.role.name())))
        .collect();
    let expected = [("k", "constant"), ("l", "output"), ("a", "temporary"), ("b", "output")];
    assert_eq!(roles, expected.map(|(name, role)| (name.to_string(), role)));
}

/// The attribute of a fusion or a custom call names its own results; that of a start names the value of the start.
#[test]
fn what_is_started_may_say_that_its_value_is_in_the_storage_of_operands() {
    for (operation, attributes) in [("async", "calls=%called"), ("call", "to_apply=%called")] {
        let found = alive(&format!(
            "  %x = f32[8]{{0}} parameter(0)
  %y = f32[8]{{0}} negate(%x)
  %s = ((f32[8]{{0}}), f32[8]{{0}}, u32[]) {operation}-start(%y), {attributes}, output_to_operand_aliasing={{{{1}}: (0, {{}})}}
  %d = f32[8]{{0}} {operation}-done(%s)
  ROOT %r = f32[8]{{0}} negate(%d)
"
        ));
        let names: Vec<_> = found.keys().map(String::as_str).collect();
        assert_eq!(names, ["r", "s[2]", "x", "y"], "{operation}");
        assert_eq!(found["y"], 2..=5);
    }
}

#[test]
fn results_follow_the_operands_of_a_start_that_is_reached_through_a_tuple() {
    for (operation, context) in [("all-gather", ""), ("collective-permute", ", u32[]")] {
        let start = format!("(f32[8]{{0}}, f32[16]{{0}}{context})");
        let found = alive(&format!(
            "  %x = f32[8]{{0}} parameter(0)
  %y = f32[8]{{0}} negate(%x)
  %s = {start} {operation}-start(%y)
  %t = ({start}, f32[8]{{0}}) tuple(%s, %x)
  %o = ({start}, f32[8]{{0}}) opt-barrier(%t)
  %g = {start} get-tuple-element(%o), index=0
  %d = f32[16]{{0}} {operation}-done(%g)
  ROOT %r = f32[16]{{0}} negate(%d)
"
        ));
        assert_eq!((&found["y"], &found["s[1]"]), (&(2..=7), &(3..=8)), "{operation}");
    }
    let several = "((f32[8]{0}, f32[4]{0}), (f32[16]{0}, f32[8]{0}))";
    let found = alive(&format!(
        "  %x = f32[8]{{0}} parameter(0)
  %y = f32[4]{{0}} parameter(1)
  %s = {several} all-gather-start(%x, %y)
  %d = (f32[16]{{0}}, f32[8]{{0}}) all-gather-done(%s)
  %e = f32[8]{{0}} get-tuple-element(%d), index=1
  ROOT %r = f32[8]{{0}} negate(%e)
"
    ));
    assert_eq!(found["s[3]"], 3..=6);
}

#[test]
fn updates_of_what_has_started_are_views_and_keep_its_operands() {
    for operation in ["async", "custom-call", "fusion", "call", "slice"] {
        let found = alive(&format!(
            "  %x = f32[8]{{0}} parameter(0)
  %y = f32[8]{{0}} negate(%x)
  %s = ((f32[8]{{0}}), f32[8]{{0}}, u32[]) {operation}-start(%y)
  %a = f32[8]{{0}} negate(%x)
  %u = ((f32[8]{{0}}), f32[8]{{0}}, u32[]) {operation}-update(%s)
  %b = f32[8]{{0}} negate(%a)
  %v = ((f32[8]{{0}}), f32[8]{{0}}, u32[]) {operation}-update(%u)
  %d = f32[8]{{0}} {operation}-done(%v)
  ROOT %r = f32[8]{{0}} add(%b, %d)
"
        ));
        let names: Vec<_> = found.keys().map(String::as_str).collect();
        assert_eq!(names, ["a", "b", "r", "s[1]", "s[2]", "x", "y"], "{operation}");
        assert_eq!((&found["y"], &found["s[1]"]), (&(2..=8), &(3..=9)), "{operation}");
    }
    // The start may pass its operands through a tuple, and may have several.
    let found = alive(
        "  %x = f32[8]{0} parameter(0)
  %y = f32[8]{0} negate(%x)
  %z = f32[4]{0} exponential(%x)
  %s = ((f32[8]{0}, f32[4]{0}), f32[8]{0}, u32[]) custom-call-start(%y, %z)
  %t = (((f32[8]{0}, f32[4]{0}), f32[8]{0}, u32[]), f32[8]{0}) tuple(%s, %x)
  %o = (((f32[8]{0}, f32[4]{0}), f32[8]{0}, u32[]), f32[8]{0}) opt-barrier(%t)
  %g = ((f32[8]{0}, f32[4]{0}), f32[8]{0}, u32[]) get-tuple-element(%o), index=0
  %i = (f32[8]{0}, f32[4]{0}) get-tuple-element(%g), index=0
  %d = f32[8]{0} custom-call-done(%g)
  %j = f32[4]{0} get-tuple-element(%i), index=1
  %k = f32[4]{0} negate(%j)
  ROOT %r = f32[8]{0} add(%d, %d)
",
    );
    assert_eq!((&found["y"], &found["z"], &found["s[2]"]), (&(2..=9), &(3..=11), &(4..=12)));
}

#[test]
fn a_message_is_in_the_storage_of_what_is_sent() {
    let found = alive(
        "  %x = f32[8]{0} parameter(0)
  %t = token[] after-all()
  %y = f32[8]{0} negate(%x)
  %s = (f32[8]{0}, u32[], token[]) send(%y, %t), channel_id=1
  %r = (f32[8]{0}, u32[], token[]) recv(%t), channel_id=2
  %a = f32[8]{0} negate(%x)
  %e = token[] send-done(%s), channel_id=1
  %d = (f32[8]{0}, token[]) recv-done(%r), channel_id=2
  %g = f32[8]{0} get-tuple-element(%d), index=0
  ROOT %b = f32[8]{0} add(%a, %g)
",
    );
    let names: Vec<_> = found.keys().map(String::as_str).collect();
    assert_eq!(names, ["a", "b", "r[0]", "r[1]", "s[1]", "x", "y"]);
    assert_eq!((&found["y"], &found["r[0]"]), (&(3..=7), &(5..=10)));
}

#[test]
fn many_results_in_the_memory_of_arguments_are_read_in_linear_time() {
    let count = 10_000;
    let list = |item: &dyn Fn(usize) -> String| (0..count).map(item).collect::<Vec<_>>().join(", ");
    let shapes = list(&|_| "f32[8]{0}".into());
    let entries = list(&|at| format!("{{{at}}}: (0, {{{at}}}, may-alias)"));
    let inner = list(&|at| format!("{{{at}}}: ({at}, {{}})"));
    let (mut elements, mut names) = (String::new(), Vec::new());
    for at in 0..count {
        elements += &format!("  %e{at} = f32[8]{{0}} get-tuple-element(%p), index={at}\n");
        elements += &format!("  %n{at} = f32[8]{{0}} negate(%e{at})\n");
        names.push(format!("%n{at}"));
    }
    let names = names.join(", ");
    let text = format!(
        "HloModule m, input_output_alias={{ {entries} }}

ENTRY %main () -> () {{
  %p = ({shapes}) parameter(0)
{elements}  ROOT %f = ({shapes}) fusion({names}), kind=kCustom, output_to_operand_aliasing={{{inner}}}
}}
"
    );
    let start = std::time::Instant::now();
    let dump = Dump::read(&text);
    let aliased: Vec<_> = dump.aliased().collect();
    assert_eq!(aliased, vec![(0, 32); count]);
    let own = dump.values().flat_map(|value| value.arrays).flatten().count();
    // The fusion updates its operands, which are in the memory of the arguments.
    assert_eq!(own, count);
    // A few seconds; in quadratic time, minutes.
    let time = start.elapsed();
    assert!(time.as_secs() < 60, "{time:?}");
}

#[test]
fn calls_with_many_operands_and_results_are_read_in_linear_time() {
    let count = 10_000;
    let list = |item: &dyn Fn(usize) -> String| (0..count).map(item).collect::<Vec<_>>().join(", ");
    let shapes = list(&|_| "f32[8]{0}".into());
    let lines = |item: &dyn Fn(usize) -> String| (0..count).map(item).collect::<String>();
    let parameters = lines(&|at| format!("  %q{at} = f32[8]{{0}} parameter({at})\n"));
    let arguments = lines(&|at| format!("  %p{at} = f32[8]{{0}} parameter({at})\n"));
    let (inner, outer) = (list(&|at| format!("%q{at}")), list(&|at| format!("%p{at}")));
    let text = format!(
        "HloModule m

%called () -> () {{
{parameters}  ROOT %t = ({shapes}) tuple({inner})
}}

ENTRY %main () -> () {{
{arguments}  ROOT %c = ({shapes}) call({outer}), to_apply=%called
}}
"
    );
    let start = std::time::Instant::now();
    let dump = Dump::read(&text);
    let arrays: Vec<_> = dump.values().flat_map(|value| value.arrays).flatten().collect();
    // The call returns its operands.
    assert_eq!(arrays.len(), count);
    assert!(arrays.iter().all(|array| array.role == Role::Argument));
    // A second; in quadratic time, minutes.
    let time = start.elapsed();
    assert!(time.as_secs() < 60, "{time:?}");
}

#[test]
fn a_computation_may_end_with_the_thread_that_runs_it() {
    let text = "HloModule m

ENTRY %main (x: f32[8]) -> f32[8] {
  ROOT %x = f32[8]{0} parameter(0)
}

%host (y: f32[8]) -> f32[8] {
  ROOT %y = f32[8]{0} parameter(0)
}, execution_thread=\"host\"
";
    assert!(Dump::read(text).cut().is_none());
    let end = text.find("}, execution").expect("the end");
    assert!(Dump::read(&text[..end]).cut() == Some(Cut::Computation("host")));
}
