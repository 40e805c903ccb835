//! How errors are shown.

use acp_bindgen_runtime::json;
use acp_bindgen_runtime::rpc::RequestError;

fn error(text: &str) -> RequestError {
    json::decode(text).unwrap()
}

#[test]
fn what_the_data_tell_is_shown() {
    let error = error(
        r#"{"code":-32602,"message":"Invalid params",
            "data":{"path":"a.b","expected":"a string","found":"null"}}"#,
    );
    let shown = "Invalid params: a.b: expected a string, found null (-32602)";
    assert_eq!(error.to_string(), shown);
    assert_eq!(
        RequestError::method_not_found("lamp/dim").to_string(),
        "Method not found: lamp/dim (-32601)"
    );
}

#[test]
fn an_error_of_the_protocol_is_shown_with_its_members_if_they_are_known() {
    let text = r#"{"code":-32002,"message":"Not there","data":{"uri":"a","why":"b"}}"#;
    assert_eq!(error(text).to_string(), "Not there (-32002)");
    let answer = error(text).answering("look", &[(-32002, &["uri", "other"])]);
    assert_eq!(answer.to_string(), "look: Not there: a (-32002)");
    assert_eq!(answer, error(text), "whichever call was answered with it");
    let made = RequestError::new(-32002, "Not there");
    let made = made.with_members(&["uri", "why"], [Some(String::from("a")), None]);
    assert_eq!(made.to_string(), "Not there: a (-32002)");
    assert_eq!(
        json::encode(&made).unwrap(),
        r#"{"code":-32002,"message":"Not there","data":{"uri":"a"}}"#
    );
}
