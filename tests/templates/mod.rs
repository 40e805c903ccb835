//! The examples of templates, in use.

mod go;
mod python;
mod typescript;
