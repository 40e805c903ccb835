//! Reads a property that is gone.

pub fn colour(lamp: &house::Lamp) -> Option<&str> {
    lamp.colour.as_deref()
}
