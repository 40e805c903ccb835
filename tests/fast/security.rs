//! Does every promise of `docs/security.md` have the test that it names?

use crate::support;

#[test]
fn every_promise_has_its_test() {
    let root = support::root();
    let page = std::fs::read_to_string(root.join("docs/security.md")).unwrap();
    let mut promises = 0;
    for row in page.lines().filter(|line| line.starts_with("| ") && !line.ends_with("| test |")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let [_, tests] = cells[..] else { panic!("two cells: {row}") };
        for test in tests.split(", ") {
            let path = test.trim().trim_matches('`');
            assert!(root.join("tests").join(path).exists(), "{path}");
        }
        promises += 1;
    }
    assert!(promises > 15, "{promises}");
}
