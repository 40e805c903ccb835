//! What generated servers do with the ids of connections, where no program can see it.

use quote::ToTokens;

/// How long it takes to find that an id is wrong must not tell how much of it is right.
#[test]
fn ids_in_rust_are_compared_in_constant_time() {
    let text = include_str!("../../templates/rust/runtime/src/remote/id.rs");
    let file = syn::parse_file(text).unwrap();
    let mut compared = None;
    for item in &file.items {
        match item {
            syn::Item::Struct(it) if it.ident == "Id" => {
                let attributes = it.attrs.iter().map(|it| it.to_token_stream().to_string());
                let derived: String = attributes.filter(|it| it.contains("derive")).collect();
                assert!(!derived.contains("PartialEq") && !derived.contains("Debug"), "{derived}");
            }
            syn::Item::Impl(it) => {
                let of = it.trait_.as_ref().and_then(|(path, _)| path.segments.last());
                if of.is_some_and(|it| it.ident == "PartialEq") {
                    compared = Some(it.to_token_stream().to_string());
                }
            }
            _ => {}
        }
    }
    let compared = compared.expect("ids are compared");
    // All bytes are looked at, and only then is it judged: nothing of texts or slices is compared.
    assert!(compared.contains("black_box (found | (left ^ right))"), "{compared}");
    let comparisons: Vec<_> = compared.match_indices("==").collect();
    assert_eq!(comparisons.len(), 2, "{compared}");
    assert!(compared.contains("own . len () == other . len () && difference == 0"), "{compared}");
    assert!(!compared.contains("! ="), "{compared}");
}
