//! The page's own style and script, and the policy that keeps a browser from running any other.

use hmac_sha256::Hash;

/// The page's style.
pub(super) const STYLE: &str = concat!(
    include_str!("../../../templates/docs/theme.css"),
    include_str!("../../../templates/docs/frame.css"),
    include_str!("../../../templates/docs/content.css"),
    include_str!("../../../templates/docs/screens.css"),
);
/// The page's script.
pub(super) const SCRIPT: &str = include_str!("../../../templates/docs/page.js");

/// The content security policy: nothing is loaded, and only this style and script are used.
pub(super) fn policy() -> String {
    let digest = |text: &str| base64(&Hash::hash(text.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        digest(STYLE),
        digest(SCRIPT)
    )
}

/// Base64, as policies spell digests.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let index = (bits >> (18 - 6 * digit)) & 63;
            let character = usize::try_from(index).ok().and_then(|index| DIGITS.get(index));
            let is_padding = digit > chunk.len();
            text.push(if is_padding { '=' } else { char::from(*character.unwrap_or(&b'=')) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn digests_are_spelled_as_browsers_do() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("~~~?", "fn5+Pw==")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}
