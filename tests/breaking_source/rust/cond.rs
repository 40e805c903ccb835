//! Copies the values of an enum, which is no longer possible once they may be any string.

pub fn twice(fuse: &house::Fuse) -> [house::Fuse; 2] {
    [*fuse, *fuse]
}
