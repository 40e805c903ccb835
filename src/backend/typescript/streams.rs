//! The model of calls whose results come in pieces.

use super::connections::{Documented, Used};
use super::expression::Expr;
use super::jsdoc::Comment;
use super::types::Scope;
use super::{calls, names, table};
use crate::ir::Method;

impl Scope<'_> {
    /// A call that gives the pieces of its result as they come, if they do.
    pub(super) fn streamed_call(
        self,
        method: &Method,
        name: &str,
        table: &str,
        used: &mut Used,
    ) -> Option<Documented> {
        let stream = method.stream.as_ref()?;
        let delta = used.expression(self, self.protocol.stream_delta(stream)?);
        let result = used.expression(self, method.result()?);
        let wire = &method.name.wire;
        let comment = Comment::of(format!("Calls `{wire}`, and gives its result in pieces."))
            .paragraph("The token that marks them is put into the params.");
        let params = ("params", used.expression(self, method.params()));
        let result = Expr::Apply("streams.StreamedCall", vec![result, delta]);
        let target = [format!("{table}.{}", names::method(method)), names::stream(method)];
        Some(Documented {
            doc: comment.block(2),
            statement: calls::streamed(&format!("{name}Streamed"), params, &result, target),
        })
    }

    /// The statement that says where the pieces of a result come from, if they do.
    pub(super) fn stream(self, method: &Method, used: &mut Used) -> Option<String> {
        let stream = method.stream.as_ref()?;
        let notification = self.protocol.stream_notification(stream)?;
        Some(table::stream(self, &names::stream(method), stream, notification, used))
    }
}
