pub trait Server {
    fn set_level(&self, level: u8);
    fn read(&self);
    fn level_set(&self);
}
pub trait Client {
    fn switched_notification(&self);
}
