//! The join of pieces, as it is emitted: one table of cases for every language, and what holds for
//! all values.

mod cases;

use proptest::prelude::*;
use serde_json::{Value, json};

use cases::{cases, is_right, join};

#[test]
fn rust() {
    let cases = cases();
    assert!(cases.len() >= 40);
    for case in cases {
        let before = case.get("output").cloned();
        let mut output = before.clone();
        let joined = join::join(&mut output, case["delta"].clone()).map(|()| output.clone());
        assert!(is_right(&case, joined.ok().flatten().as_ref()), "{case}: {output:?}");
        if case.get("error").is_some() {
            assert_eq!(output, before, "{case}");
        }
    }
}

/// Any JSON in which no array begins with `null`: of the first piece of an array, that null is
/// dropped, so that an empty piece before it changes what it means.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-50i64..50).prop_map(Value::from),
        "[ab]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 3, |inner| {
        let item = inner.clone().prop_filter("a first null", |value| !value.is_null());
        prop_oneof![
            Just(json!([])),
            (item, prop::collection::vec(inner.clone(), 0..3)).prop_map(|(first, rest)| {
                Value::Array(std::iter::once(first).chain(rest).collect())
            }),
            prop::collection::btree_map("[xy]", inner, 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Values of one shape, so that most of them can be joined.
fn like() -> impl Strategy<Value = (Value, Value, Value)> {
    let text = || "[ab]{0,2}".prop_map(Value::from);
    let texts = || prop::collection::vec(text(), 0..4).prop_map(Value::from);
    let object = || {
        (prop::option::of(text()), prop::option::of(texts()), prop::option::of(0i64..9)).prop_map(
            |(a, b, c)| {
                let members = [("a", a), ("b", b), ("c", c.map(Value::from))];
                let there = members.into_iter().filter_map(|(key, value)| Some((key, value?)));
                Value::Object(there.map(|(key, value)| (key.to_owned(), value)).collect())
            },
        )
    };
    prop_oneof![
        (texts(), texts(), texts()),
        (object(), object(), object()),
        (value(), value(), value()),
    ]
}

fn both(a: Option<&Value>, b: Option<&Value>) -> Option<Value> {
    let mut output = a.cloned();
    join::join(&mut output, b?.clone()).ok()?;
    output
}

proptest! {
    #[test]
    fn joining_is_associative_where_it_is_defined((a, b, c) in like()) {
        let left = both(Some(&a), Some(&b));
        let left = left.and_then(|left| both(Some(&left), Some(&c)));
        let right = both(Some(&b), Some(&c));
        let right = right.and_then(|right| both(Some(&a), Some(&right)));
        prop_assert_eq!(left, right);
    }

    #[test]
    fn null_is_neutral(a in value()) {
        prop_assert_eq!(both(Some(&a), Some(&Value::Null)), Some(a.clone()));
        prop_assert_eq!(both(Some(&Value::Null), Some(&a)), Some(a.clone()));
        prop_assert_eq!(both(None, Some(&a)), Some(a));
    }

    /// After an item, a null at the beginning begins another, however the pieces are put together.
    #[test]
    fn a_first_null_begins_an_item(a in "[ab]{1,2}", b in "[ab]{1,2}", c in "[ab]{1,2}") {
        let (first, next, last) = (json!([a]), json!([null, b]), json!([null, c]));
        let left = both(both(Some(&first), Some(&next)).as_ref(), Some(&last));
        let right = both(Some(&first), both(Some(&next), Some(&last)).as_ref());
        prop_assert_eq!(&left, &right);
        prop_assert_eq!(left, Some(json!([a, b, c])));
    }
}
