//! Resolving a reference against the URI or path of the text it stands in (RFC 3986, section 5).

/// Resolves a reference without its fragment against a base, which is a URI or the path of a file.
pub(crate) fn resolve_uri(base: &str, reference: &str) -> String {
    if is_absolute(reference) {
        return reference.to_owned();
    }
    let (start, path) = split_base(base);
    if reference.is_empty() {
        return format!("{start}{path}");
    }
    if let Some(authority) = reference.strip_prefix("//") {
        let scheme = start.split_once(':').map_or("", |(scheme, _)| scheme);
        return format!("{scheme}://{authority}");
    }
    if reference.starts_with('/') {
        return format!("{start}{}", without_dots(reference, !start.is_empty()));
    }
    let folder = path.rfind(['/', '\\']).map_or("", |end| path.get(..=end).unwrap_or_default());
    let folder = if path.is_empty() && start.contains("//") { "/" } else { folder };
    let is_uri = is_absolute(base) && !start.starts_with("git:");
    format!("{start}{}", without_dots(&format!("{folder}{reference}"), is_uri))
}

/// Tells whether a reference begins with a scheme: `https://…`, `urn:…`. A single letter is a
/// drive.
pub(crate) fn is_absolute(reference: &str) -> bool {
    reference.split_once(':').is_some_and(|(scheme, _)| {
        scheme.len() > 1
            && scheme.starts_with(|it: char| it.is_ascii_alphabetic())
            && scheme.chars().all(|it| it.is_ascii_alphanumeric() || "+-.".contains(it))
    })
}

/// Splits a base into the start that stays, and its path: `https://example.org` and `/a/b.json`; `git:main:` and
/// `a/b.json`; nothing and a path of the file system.
fn split_base(base: &str) -> (&str, &str) {
    let base = base.split(['?', '#']).next().unwrap_or_default();
    let Some((scheme, rest)) = base.split_once(':').filter(|_| is_absolute(base)) else {
        return ("", base);
    };
    let length = scheme.len() + 1;
    let end = if let Some(rest) = rest.strip_prefix("//") {
        length + 2 + rest.find('/').unwrap_or(rest.len())
    } else if scheme == "git" {
        length + rest.find(':').map_or(0, |colon| colon + 1)
    } else {
        length
    };
    base.split_at(end)
}

/// A path without `.` and `..`. Where `is_uri`, none leads above the root; the path of a file may
/// begin with `..`, and keeps a `./` at its beginning.
fn without_dots(path: &str, is_uri: bool) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let is_rooted = path.starts_with(['/', '\\']);
    let mut ends_in_folder = false;
    for (index, segment) in path.split(['/', '\\']).enumerate() {
        ends_in_folder = false;
        match segment {
            "." if index == 0 && !is_uri => kept.push("."),
            "." => ends_in_folder = true,
            "" if index == 0 => {}
            ".." => {
                ends_in_folder = true;
                match kept.last() {
                    Some(&last) if last != ".." && last != "." => drop(kept.pop()),
                    Some(_) | None if is_uri || is_rooted => {}
                    Some(&".") => kept = vec![".", ".."],
                    _ => kept.push(".."),
                }
            }
            other => kept.push(other),
        }
    }
    let start = if is_rooted { "/" } else { "" };
    let end = if ends_in_folder && !kept.is_empty() { "/" } else { "" };
    format!("{start}{}{end}", kept.join("/"))
}

/// Decodes `%41` in a URI fragment; anything malformed stays as it is.
pub(crate) fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        let hex =
            |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
        match (*first, tail) {
            (b'%', [high, low, after @ ..]) => match (hex(*high), hex(*low)) {
                (Some(high), Some(low)) => {
                    bytes.push(high * 16 + low);
                    rest = after;
                }
                _ => bytes.push(b'%'),
            },
            (byte, _) => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::resolve_uri;

    #[test]
    fn references_are_resolved_as_the_rfc_says() {
        let base = "http://a/b/c/d;p?q";
        for (reference, target) in [
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../../../g", "http://a/g"),
            ("./g/.", "http://a/b/c/g/"),
            ("g/../h", "http://a/b/c/h"),
            ("urn:x:y", "urn:x:y"),
        ] {
            assert_eq!(resolve_uri(base, reference), target, "{reference}");
        }
        assert_eq!(resolve_uri("http://a", "g"), "http://a/g");
    }

    #[test]
    fn paths_are_resolved_from_the_folder_of_the_file() {
        for (base, reference, target) in [
            ("schema.json", "types.json", "types.json"),
            ("a/schema.json", "b/types.json", "a/b/types.json"),
            ("a/schema.json", "../types.json", "types.json"),
            ("schema.json", "../../types.json", "../../types.json"),
            ("../schema.json", "../types.json", "../../types.json"),
            ("/a/b/schema.json", "../types.json", "/a/types.json"),
            ("./schema.json", "../types.json", "./../types.json"),
            (r"C:\a\schema.json", "types.json", "C:/a/types.json"),
            ("git:main:a/schema.json", "../types.json", "git:main:types.json"),
            ("git:main:./schema.json", "types.json", "git:main:./types.json"),
            ("<stdin>", "types.json", "types.json"),
        ] {
            assert_eq!(resolve_uri(base, reference), target, "{base} {reference}");
        }
    }
}
