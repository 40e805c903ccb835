//! Custom templates whose output compilers judge: the examples.

mod go;
mod typescript;
