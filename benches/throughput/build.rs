//! Generates the SDK whose connections are measured.

use acp_bindgen::Builder;
use acp_bindgen::backend::Runtime;

fn main() {
    Builder::new("bundled:acp@v1").runtime(Runtime::Embedded).compile("acp.rs");
}
