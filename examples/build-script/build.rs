//! Turns the schema into Rust.

fn main() {
    acp_bindgen::Builder::new("schema/lamp.json")
        .overlay("schema/names.overlay.json")
        .compile("lamp.rs");
}
