//! The call that shows how a protocol is used.

use serde_json::Value;

use super::{Examples, Fill, LARGEST, Making, is_settled};
use crate::ir::{Method, Name, Side, Type};

/// A request that a side answers and the other end makes, with a value for each.
#[derive(Clone, Debug)]
pub(crate) struct ShownCall<'a> {
    /// The side that handles it.
    pub(crate) handler: &'a Side,
    /// The side that makes it: the same one if there is no other.
    pub(crate) caller: &'a Side,
    /// The method.
    pub(crate) method: &'a Method,
    /// The params: an object.
    pub(crate) params: Value,
    /// The result.
    pub(crate) result: Value,
}

/// The longest text of a value that tells what its type is for, and of the smallest one.
const SHORT: usize = 60;
const LONGEST: usize = 120;

impl<'a> Examples<'a> {
    /// The first call of the side that has the fewest to answer: one that needs nothing before it,
    /// is answered with something, and has no more than two ends. `None` if there is no such call.
    pub(crate) fn shown_call(&self) -> Option<ShownCall<'a>> {
        let protocol = self.protocol;
        if protocol.sides.len() > 2 {
            return None;
        }
        let calls = |side: &'a Side| {
            let methods = protocol.handled_by(&side.name.wire);
            methods.filter(|method| method.is_request() && !method.optional)
        };
        let mut sides: Vec<&Side> = protocol.sides.iter().collect();
        sides.sort_by_key(|side| calls(side).count());
        sides.into_iter().find_map(|handler| {
            let caller = protocol.other_ends(handler).next()?;
            let mut plain = calls(handler).filter(|method| self.is_plain(method));
            plain.find_map(|method| {
                let params = self.short(method.params()).filter(Value::is_object)?;
                let result = self.short(method.result()?).filter(|result| !result.is_null())?;
                Some(ShownCall { handler, caller, method, params, result })
            })
        })
    }

    /// Tells whether a method can be called at once and by itself.
    fn is_plain(&self, method: &Method) -> bool {
        let wire = &method.name.wire;
        let negotiation = self.protocol.negotiation.as_ref();
        // What an end says that it can do, it has to do.
        let mut tells = self.protocol.sides.iter().filter_map(|side| side.capabilities.as_ref());
        let is_telling = tells.any(|it| it.method == *wire);
        !is_telling
            && is_settled(&method.docs)
            && method.stream.is_none()
            && method.handle.is_none()
            && method.capability.is_none()
            && negotiation.is_none_or(|it| it.method != *wire)
    }

    /// An instance that shows what its type is for if it is short, else the smallest.
    fn short(&self, ty: &Type) -> Option<Value> {
        let least = || {
            let name = Name::new("value");
            let value = self.value(ty, &name, Fill::Least, &mut Making { left: LARGEST });
            value.filter(|value| self.is_valid(ty, value))
        };
        let within = |most: usize| move |value: &Value| value.to_string().len() <= most;
        self.example(ty).filter(within(SHORT)).or_else(|| least().filter(within(LONGEST)))
    }
}
