//! Handles a side without the method that it has to handle now.

use house::{House, HouseContext, Result, SetRequest, SetResponse};

pub struct Home;

impl House for Home {
    async fn set(&self, _params: SetRequest, _context: HouseContext) -> Result<SetResponse> {
        std::future::pending().await
    }
}
