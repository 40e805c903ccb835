pub trait Server {
    fn set_level(&self, level: u8);
    fn read(&self);
    fn level_set(&self);
}
