//! The difference of two views as a JSON Patch (RFC 6902).

use super::view::View;
use json_patch::Patch;
use serde_json::Value;

/// A view in the form in which it is compared and sent.
#[must_use]
pub fn to_value(view: &View) -> Value {
    // A view is plain maps, texts and numbers; serialising it cannot fail. Should it ever, the
    // empty view is what the person sees, never a wrong one.
    serde_json::to_value(view).unwrap_or(Value::Null)
}

/// What turns one view into another. Empty when they are equal.
#[must_use]
pub fn between(before: &Value, after: &Value) -> Patch {
    json_patch::diff(before, after)
}
