//! Builds with constructors and setters, looks with a fallback, clones: nothing here minds what
//! is new.

use house::{Door, Fuse, Heater, Lamp, Mode};

pub fn build() -> (Door, Lamp) {
    (Door::new(true), Lamp::new().watts(40))
}

pub fn light(mode: &Mode) -> bool {
    match mode {
        Mode::On => true,
        Mode::Off => false,
        _ => true,
    }
}

pub fn twice(fuse: &Fuse) -> [Fuse; 2] {
    [fuse.clone(), fuse.clone()]
}

pub fn pass(heater: Heater) -> Heater {
    heater
}
