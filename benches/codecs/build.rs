//! Generates the SDK whose codecs are measured.

fn main() {
    acp_bindgen::Builder::new("bundled:acp@v1").compile("acp.rs");
}
