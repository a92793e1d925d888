//! Types and exports of the contract, generated from `wit/`.

#![allow(unsafe_code, missing_docs, unreachable_pub)]

wasmtime::component::bindgen!({
    path: "../../wit",
    world: "contestant",
});
