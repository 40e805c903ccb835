//! Published packages: what they call the types of a protocol, and an overlay with which generated
//! code calls them so, too.
//!
//! The readers know as much of a language as is needed to find public types and their members. They
//! check nothing: a package that is published compiles.

mod class_names;
mod classes;
mod declared;
mod entries;
mod functions;
mod overlay;
mod pairing;
mod python;
mod rust;
mod typescript;
mod typescript_tokens;

pub use declared::{Member, Shape, Type};
pub use overlay::{Adoption, adopt};
pub use python::read as read_python;
pub use rust::read as read_rust;
pub use typescript::read as read_typescript;
