//! Where the time goes: each stage by itself, on the bundled schema.

#![allow(
    clippy::expect_used,
    clippy::missing_panics_doc,
    missing_docs,
    reason = "a bench that cannot run should stop"
)]

use std::hint::black_box;

use acp_bindgen::backend::{DocsMode, Options, Runtime};
use acp_bindgen::config::{Config, Target};
use acp_bindgen::diagnostic::Diagnostics;
use acp_bindgen::generator::backend;
use acp_bindgen::lower::{Patterns, lower};
use acp_bindgen::schema::{Schema, bundled};
use acp_bindgen::source::Sources;
use criterion::{Criterion, criterion_group, criterion_main};

fn pipeline(criterion: &mut Criterion) {
    let name = bundled::NAMES[0];
    criterion.bench_function("export", |bench| bench.iter(|| bundled::text(black_box(name))));

    let (text, overlay) = bundled::text(name).expect("the default schema is bundled");
    let read = || {
        let (mut sources, mut diagnostics) = (Sources::default(), Diagnostics::new());
        let schema = Schema::read(
            &mut sources,
            text.clone(),
            Vec::new(),
            vec![overlay.clone()],
            Vec::new(),
            &mut diagnostics,
        );
        (schema.expect("the bundled schema is valid"), sources)
    };
    criterion.bench_function("read", |bench| bench.iter(read));

    let (schema, sources) = read();
    criterion.bench_function("lower", |bench| {
        bench.iter(|| {
            lower(black_box(&schema), Patterns::Ignore, &sources, &mut Diagnostics::new())
        });
    });

    let protocol = lower(&schema, Patterns::Ignore, &sources, &mut Diagnostics::new());
    let protocol = protocol.expect("the bundled schema lowers");
    let options = Options::new(protocol.short_name.clone(), DocsMode::Full, Runtime::Embedded);
    for target in Target::ALL {
        let backend = backend(target, &Config::default());
        criterion.bench_function(backend.id(), |bench| {
            bench.iter(|| backend.emit(black_box(&protocol), &options, &mut Diagnostics::new()));
        });
    }
}

criterion_group!(benches, pipeline);
criterion_main!(benches);
