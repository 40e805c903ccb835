//! How time and memory grow with the schema: the bundled schema, 16 and 64 times over, into all
//! languages. Prints a table; `cargo bench --bench scale`.

#![allow(
    clippy::expect_used,
    clippy::missing_panics_doc,
    missing_docs,
    reason = "a bench that cannot run should stop"
)]

mod common;

use std::time::{Duration, Instant};

use acp_bindgen::schema::{SchemaText, bundled};
use acp_bindgen::{Config, Generator};

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let (schema, _) = bundled::text(bundled::NAMES[0]).expect("the default schema is bundled");
    let schema = serde_json::from_str(&schema.text).expect("the bundled schema is JSON");
    println!(
        "{:>6} {:>12} {:>10} {:>8} {:>9}",
        "copies", "definitions", "seconds", "lines", "peak MiB"
    );
    let mut times: Vec<(usize, Duration)> = Vec::new();
    for copies in [1, 16, 64] {
        let large = common::replicated(&schema, copies);
        let definitions = large["$defs"].as_object().map_or(0, serde_json::Map::len);
        let text = SchemaText::from_value("replicated.json", &large);
        drop(large);
        let start = Instant::now();
        let generation = Generator::new(Config::default()).generate(text);
        let time = start.elapsed();
        assert!(generation.diagnostics.is_empty(), "{:#?}", generation.diagnostics.iter().next());
        let lines: usize = generation.packages.iter().map(|package| package.files.lines()).sum();
        println!(
            "{copies:>6} {definitions:>12} {:>10.3} {lines:>8} {:>9}",
            time.as_secs_f64(),
            peak_mebibytes()
        );
        times.push((copies, time));
    }
    if let [_, (few, before), (many, after)] = times.as_slice() {
        let growth = (after.as_secs_f64() / before.as_secs_f64()).ln();
        #[allow(clippy::cast_precision_loss, reason = "small counts")]
        let exponent = growth / (*many as f64 / *few as f64).ln();
        println!("growth exponent from {few} to {many} copies: {exponent:.2}");
    }
}

/// The most memory that this process has held so far (Linux; elsewhere 0).
fn peak_mebibytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kibibytes.unwrap_or(0) / 1024
}
