//! Several versions of a schema at once: what has changed from each to the next, and which can
//! talk to each other.
//!
//! ```
//! use acp_bindgen::breaking::CompareOptions;
//! use acp_bindgen::history::{Version, changelog, markdown, matrix};
//! use acp_bindgen::{Purpose, SchemaText, load};
//! use serde_json::{Value, json};
//!
//! let version = |label: &str, methods: Value| {
//!     let schema = SchemaText::from_value("hello.json", &json!({ "$defs": methods }));
//!     let loaded = load(schema, Purpose::Compare);
//!     Some(Version {
//!         label: label.to_owned(),
//!         version: Some(label.to_owned()),
//!         date: None,
//!         schema: loaded.schema?,
//!         protocol: loaded.protocol?,
//!     })
//! };
//! let nod = json!({ "type": "object", "x-method": "nod", "x-side": "client" });
//! let wave = json!({ "type": "object", "x-method": "wave", "x-side": "server" });
//! let mut bow = json!({ "type": "object", "x-method": "bow", "x-side": "server" });
//! bow["x-optional"] = json!(true);
//! let old = json!({ "NodNotification": nod, "WaveNotification": wave });
//! let new = json!({ "NodNotification": nod, "WaveNotification": wave, "BowNotification": bow });
//! let versions = [version("1.0.0", old), version("1.1.0", new)];
//! let versions: Vec<Version> = versions.into_iter().flatten().collect();
//!
//! let log = changelog(&versions, &CompareOptions::default());
//! assert_eq!(log.releases[0].suggested.as_deref(), Some("1.1.0"));
//! assert!(markdown(&log).contains("`bow`"));
//!
//! // A new client may send what an old server does not know.
//! let table = &matrix(&versions, &CompareOptions::default()).tables[0];
//! assert_eq!((table.rows.as_str(), table.columns.as_str()), ("client", "server"));
//! let cell = table.cell(1, 0).ok_or("there are two versions")?;
//! assert!(cell.unknown.contains("bow"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod changelog;
mod matrix;
mod version;
mod words;

pub use changelog::{Changelog, Entry, Release, Section, changelog, markdown};
pub use matrix::{Cell, Forgiven, Matrix, Table, html, matrix, text};
pub use version::Version;
pub use words::WORDS;
