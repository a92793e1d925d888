//! Guests: components of the contract, written by hand, to misbehave in every way that Rust with
//! the SDK would not.

use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::abi::{AbiVariant, WasmType};
use wit_parser::{Resolve, WorldId, WorldItem};

/// A guest under construction. Unless told otherwise it plays by the rules: it keeps one die or
/// one triple, never banks, and says nothing.
#[derive(Clone, Debug)]
pub struct Guest {
    memory: String,
    imports: String,
    functions: String,
    start_function: String,
    start: String,
    decide: String,
    identity: String,
    realloc: String,
    adapter: Option<Vec<u8>>,
}

/// A legal keep under every preset, as a number on the stack: a 1, a 5, a triple, or all.
const SOME_LEGAL_KEEP: &str = "
    (if (result i32) (local.get $ones) (then (i32.const 0x1)) (else
    (if (result i32) (local.get $fives) (then (i32.const 0x10000)) (else
    (if (result i32) (i32.ge_u (local.get $twos) (i32.const 3)) (then (i32.const 0x30)) (else
    (if (result i32) (i32.ge_u (local.get $threes) (i32.const 3)) (then (i32.const 0x300)) (else
    (if (result i32) (i32.ge_u (local.get $fours) (i32.const 3)) (then (i32.const 0x3000)) (else
    (if (result i32) (i32.ge_u (local.get $sixes) (i32.const 3)) (then (i32.const 0x300000)) (else
        (i32.or (i32.or (i32.shl (local.get $twos) (i32.const 4)) (i32.shl (local.get $threes) (i32.const 8)))
                (i32.or (i32.shl (local.get $fours) (i32.const 12)) (i32.shl (local.get $sixes) (i32.const 20))))
    ))))))))))))";

/// An allocator that gives whatever comes next.
const BUMPS: &str = "
    (local $at i32)
    (local.set $at (i32.and (i32.add (global.get $free) (i32.const 7)) (i32.const -8)))
    (global.set $free (i32.add (local.get $at) (local.get $new)))
    (local.get $at)";

/// Where three strings are: `guest`, and two empty ones.
const SAYS_GUEST: &str = "
    (i32.store (i32.const 64) (i32.const 16)) (i32.store (i32.const 68) (i32.const 5))
    (i32.store (i32.const 72) (i32.const 16)) (i32.store (i32.const 76) (i32.const 0))
    (i32.store (i32.const 80) (i32.const 16)) (i32.store (i32.const 84) (i32.const 0))
    (i32.const 64)";

impl Default for Guest {
    fn default() -> Guest {
        Guest {
            memory: "(memory (export \"memory\") 1)".into(),
            imports: String::new(),
            functions: String::new(),
            start_function: String::new(),
            start: String::new(),
            decide: SOME_LEGAL_KEEP.into(),
            identity: SAYS_GUEST.into(),
            realloc: BUMPS.into(),
            adapter: None,
        }
    }
}

impl Guest {
    /// A guest that plays by the rules and never banks.
    pub fn new() -> Guest {
        Guest::default()
    }

    /// The same, but banks after every keep.
    pub fn banks() -> Guest {
        Guest::new().banks_if("(i32.const 1)")
    }

    /// Banks after a keep where this number on the stack is 1, and not where it is 0.
    pub fn banks_if(self, one: &str) -> Guest {
        let decide = format!("(i32.or (i32.shl {one} (i32.const 24)) {})", self.decide);
        self.decide(&decide)
    }

    /// The body of `start`, with the parameters `$seat`, `$seats`, `$seed`, `$limit`, `$ruleset`.
    pub fn start(mut self, body: &str) -> Guest {
        self.start = body.into();
        self
    }

    /// The body of `decide`, with parameters named as in the contract (`$ones` … `$closing`); it
    /// leaves the decision on the stack.
    pub fn decide(mut self, body: &str) -> Guest {
        self.decide = body.into();
        self
    }

    /// Imports of `wasi_snapshot_preview1`, and the adapter that makes WASI 0.2 of them.
    pub fn preview1(self, imports: &str, adapter: &[u8]) -> Guest {
        Guest { adapter: Some(adapter.to_vec()), ..self.imports(imports) }
    }

    /// Something to do before the ordinary decision.
    pub fn before_deciding(self, body: &str) -> Guest {
        let decide = format!("{body} {}", self.decide);
        self.decide(&decide)
    }

    /// The body of `identity`; it leaves the address of three strings on the stack.
    pub fn identity(mut self, body: &str) -> Guest {
        self.identity = body.into();
        self
    }

    /// The body of the allocator that the arena calls, with the parameters `$old`, `$size`, `$align`,
    /// `$new`; it leaves an address on the stack.
    pub fn realloc(mut self, body: &str) -> Guest {
        self.realloc = body.into();
        self
    }

    /// The memory's declaration.
    pub fn memory(mut self, memory: &str) -> Guest {
        self.memory = memory.into();
        self
    }

    /// Imports: those of the contract, or others.
    pub fn imports(mut self, imports: &str) -> Guest {
        self.imports = imports.into();
        self
    }

    /// Globals, and functions beside those of the contract.
    pub fn also(mut self, items: &str) -> Guest {
        self.functions.push_str(items);
        self
    }

    /// A start function, run while the component is instantiated.
    pub fn start_function(mut self, body: &str) -> Guest {
        self.start_function = format!("(func $begin {body}) (start $begin)");
        self
    }

    /// The core module.
    ///
    /// # Panics
    ///
    /// When the text is not WebAssembly.
    pub fn module(&self) -> Vec<u8> {
        let Guest { memory, imports, functions, start_function, start, decide, identity, realloc, adapter: _ } = self;
        let text = format!(
            r#"(module
  {imports}
  {memory}
  (global $free (mut i32) (i32.const 1024))
  (data (i32.const 16) "guest")
  (func (export "cabi_realloc") (param $old i32) (param $size i32) (param $align i32) (param $new i32) (result i32)
    {realloc})
  {functions}
  {start_function}
  (func (export "farkle:arena/agent@0.1.0#identity") (result i32)
    {identity})
  (func (export "farkle:arena/agent@0.1.0#start") (param $seat i32) (param $seats i32) (param $seed i64) (param $limit i32) (param $ruleset i64)
    {start})
  (func (export "farkle:arena/agent@0.1.0#decide")
    (param $ones i32) (param $twos i32) (param $threes i32) (param $fours i32) (param $fives i32) (param $sixes i32)
    (param $at_risk i32) (param $score i32) (param $best_rival i32) (param $opening_due i32)
    (param $turns i32) (param $rolls i32) (param $farkles i32) (param $closing i32) (result i32)
    {decide}))"#
        );
        wat::parse_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    /// The core module with the types of the contract, as bindings write them.
    ///
    /// # Panics
    ///
    /// When the module does not fit the contract.
    pub fn module_with_types(&self) -> Vec<u8> {
        let (resolve, world) = contestant();
        let mut module = self.module();
        embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).expect("metadata fits");
        module
    }

    /// The component.
    ///
    /// # Panics
    ///
    /// When the module does not fit the contract.
    pub fn component(&self) -> Vec<u8> {
        let module = self.module_with_types();
        let mut encoder = ComponentEncoder::default();
        encoder.validate(true).module(&module).expect("a module of the contract");
        if let Some(adapter) = &self.adapter {
            encoder.adapter("wasi_snapshot_preview1", adapter).expect("an adapter");
        }
        encoder.encode().expect("a component")
    }

    /// A guest that imports every function of WASI 0.2, and calls none.
    ///
    /// # Panics
    ///
    /// When `wit/` does not hold the world.
    pub fn importing_wasi() -> Guest {
        let (resolve, world) = contestant();
        let mut imports = String::new();
        for (key, item) in &resolve.worlds[world].imports {
            let interface = resolve.name_world_key(key);
            let WorldItem::Interface { id, .. } = item else { continue };
            for (name, function) in &resolve.interfaces[*id].functions {
                let signature = resolve.wasm_signature(AbiVariant::GuestImport, function);
                let types = |types: &[WasmType]| types.iter().map(|ty| core_type(*ty)).collect::<Vec<_>>().join(" ");
                let (params, results) = (types(&signature.params), types(&signature.results));
                imports += &format!("(import \"{interface}\" \"{name}\" (func (param {params}) (result {results})))\n");
            }
        }
        Guest::new().imports(&imports)
    }
}

fn core_type(ty: WasmType) -> &'static str {
    match ty {
        WasmType::I64 | WasmType::PointerOrI64 => "i64",
        WasmType::F32 => "f32",
        WasmType::F64 => "f64",
        WasmType::I32 | WasmType::Pointer | WasmType::Length => "i32",
    }
}

/// The contract, and WASI with it. What a module does not import, its component does not either.
fn contestant() -> (Resolve, WorldId) {
    let mut resolve = Resolve::default();
    resolve.push_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../wit")).expect("the contract parses");
    let (package, _) = resolve.push_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/wit")).expect("WASI parses");
    let world = resolve.select_world(&[package], Some("contestant")).expect("it has the world");
    (resolve, world)
}
