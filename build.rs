//! Exports the unstable schemas of the bundled protocol, for `src/schema/bundled`.

#[cfg(feature = "bundled")]
#[path = "src/schema/bundled/export.rs"]
mod export;

#[cfg(feature = "bundled")]
export::root!(v1, "Proxy": ProxyRequest, ProxyResponse, ProxyNotification);
#[cfg(feature = "bundled")]
export::root!(v2, "Proxy": ProxyRequest, ProxyResponse, ProxyNotification);

#[cfg(feature = "bundled")]
fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/schema/bundled/export.rs");
    let folder = std::env::var_os("OUT_DIR").map(std::path::PathBuf::from);
    let folder = folder.ok_or_else(|| std::io::Error::other("cargo sets OUT_DIR"))?;
    let roots = [("v1", export::export::<v1::Root>()), ("v2", export::export::<v2::Root>())];
    for (version, text) in roots {
        // The publisher's descriptions of what is unstable link to the drafts.
        let draft = format!("/protocol/{version}/draft/");
        let text = text.replace(&format!("/protocol/{version}/"), &draft);
        std::fs::write(folder.join(format!("{version}-unstable.json")), text)?;
    }
    Ok(())
}

#[cfg(not(feature = "bundled"))]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
