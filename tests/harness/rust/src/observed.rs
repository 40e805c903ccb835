//! What goes wrong on a connection, as lines of JSON.

use acp::connection::{Observed, Options};
use acp::json::Value;
use serde_json::json;

/// Options that print what goes wrong, if that is asked for.
pub fn options() -> Options {
    if std::env::var("OBSERVED").is_ok_and(|value| value == "1") {
        Options::new().observer(print)
    } else {
        Options::new()
    }
}

fn print(observed: &Observed<'_>) {
    let line = match *observed {
        Observed::Ignored(method) => json!({ "seen": "ignored", "method": method }),
        Observed::Unexpected(id) => {
            let id: Value = serde_json::from_str(id).unwrap_or_default();
            json!({ "seen": "unexpected", "id": id })
        }
        Observed::Failed { method, .. } => json!({ "seen": "failed", "method": method }),
        Observed::Dropped { method, path, reason } => {
            json!({ "seen": "dropped", "method": method, "path": path, "reason": reason })
        }
        Observed::Forgiven { method, path, reason } => {
            json!({ "seen": "forgiven", "method": method, "path": path, "reason": reason })
        }
        _ => return,
    };
    println!("{line}");
}
