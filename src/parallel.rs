//! Work that is shared among the cores.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::thread;

/// The stack of a thread in bytes: as deep as that of a program's first one.
const STACK: usize = 8 << 20;

/// Does the same with each item, as many at once as there are cores, and gives the results in the
/// order of the items. The first items are begun first.
pub(crate) fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    map_with(items, || (), |(), item| work(item))
}

/// The same where there is much to do: for little, a thread costs more than it saves.
pub(crate) fn map_if<T: Send, R: Send>(
    is_much: bool,
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    if is_much { map(items, work) } else { items.into_iter().map(work).collect() }
}

/// The same with something that each thread makes once, and keeps.
pub(crate) fn map_with<T: Send, R: Send, S>(
    items: Vec<T>,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> R + Sync,
) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(items.len());
    let waiting = Mutex::new(items.into_iter().enumerate());
    let results = Mutex::new(BTreeMap::new());
    let next = || waiting.lock().ok()?.next();
    let worker = || {
        let mut state = start();
        while let Some((index, item)) = next() {
            let result = work(&mut state, item);
            if let Ok(mut results) = results.lock() {
                results.insert(index, result);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // Where no thread can be had, this one does everything.
            let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker);
        }
        worker();
    });
    results.into_inner().unwrap_or_default().into_values().collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_have_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        let squares = super::map(items.clone(), |item| {
            std::thread::sleep(std::time::Duration::from_micros(item % 7 * 50));
            item * item
        });
        assert_eq!(squares, items.iter().map(|item| item * item).collect::<Vec<_>>());
        assert!(super::map(Vec::<u64>::new(), |item| item).is_empty());
    }
}
