//! pub struct Ghost;

pub struct LampId(pub String);

#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LightLampRequest {
    pub lamp_id: LampId,
    #[serde(rename = "_meta", default)]
    pub extra: Option<serde_json::Value>,
    secret: u8,
}

pub enum Shade {
    WarmWhite,
    #[serde(rename = "cold_white")]
    Icy,
}

struct Hidden;

pub mod deep {
    pub type Nothing = ();
}

pub struct RequestError;

pub trait Router {
    fn route(&self, name: &str);
}
