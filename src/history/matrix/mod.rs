//! Which versions of a protocol can talk to each other, method by method.

mod html;
mod text;

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde::Serialize;

pub use html::html;
pub use text::text;

use super::Version;
use crate::breaking::report::is_none_left_out;
use crate::breaking::{
    Change, CompareOptions, Direction, Report, Subject, Verdict, compare_messages,
};
use crate::ir::{EITHER, Payload, Protocol};
use crate::parallel;

/// Every version of a protocol beside every other. Its JSON form is what `matrix --format json`
/// prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Matrix {
    /// The versions, in the order in which they were given.
    pub versions: Vec<String>,
    /// The methods that any version has.
    pub methods: Vec<String>,
    /// A table for each two sides that talk to each other.
    pub tables: Vec<Table>,
    /// The number of findings that are not in them, because they are about what is unstable.
    #[serde(skip_serializing_if = "is_none_left_out")]
    pub left_out: usize,
}

/// The versions of one side beside those of another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// The side whose versions the rows are.
    pub rows: String,
    /// The side whose versions the columns are.
    pub columns: String,
    /// The cells, row by row.
    pub cells: Vec<Vec<Cell>>,
}

/// The effect on the messages between two peers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// True if one of the two versions does not have the side.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub absent: bool,
    /// The worst that happens to a message.
    #[serde(flatten)]
    pub verdict: Forgiven,
    /// The methods some of whose messages are affected.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub methods: IndexMap<String, Forgiven>,
    /// Methods that the caller has and the handler does not: their calls are answered so.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub unknown: BTreeSet<String>,
}

/// The effect on messages, with and without what receivers forgive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Forgiven {
    /// The effect by the schemas alone.
    pub strict: Verdict,
    /// The effect where receivers forgive what their schema says they do.
    pub lenient: Verdict,
}

impl Default for Forgiven {
    fn default() -> Self {
        Self { strict: Verdict::Ok, lenient: Verdict::Ok }
    }
}

impl Forgiven {
    /// The strict effect, or the lenient one.
    pub fn by(self, strict: bool) -> Verdict {
        if strict { self.strict } else { self.lenient }
    }

    fn add(&mut self, other: Self) {
        self.strict = self.strict.max(other.strict);
        self.lenient = self.lenient.max(other.lenient);
    }
}

impl Cell {
    fn add(&mut self, method: &str, verdict: Forgiven) {
        self.methods.entry(method.to_owned()).or_default().add(verdict);
        self.verdict.add(verdict);
    }
}

impl Matrix {
    /// Leaves only what is about one method. `None`: no version has it.
    #[must_use]
    pub fn of_method(mut self, method: &str) -> Option<Self> {
        self.methods.retain(|name| name == method);
        for cell in self.tables.iter_mut().flat_map(|table| table.cells.iter_mut().flatten()) {
            cell.methods.retain(|name, _| name == method);
            cell.unknown.retain(|name| name == method);
            cell.verdict = cell.methods.values().next().copied().unwrap_or_default();
        }
        (!self.methods.is_empty()).then_some(self)
    }
}

/// Compares all versions with each other, on all processors. The versions are in the order in
/// which they were made: the earlier of two is the old one.
pub fn matrix(versions: &[Version], options: &CompareOptions) -> Matrix {
    let count = versions.len();
    let mut methods = BTreeSet::new();
    let mut talking: Vec<[&str; 2]> = Vec::new();
    for version in versions {
        methods.extend(version.protocol.methods.iter().map(|method| method.name.wire.clone()));
        for sides in talking_sides(&version.protocol) {
            if !talking.iter().any(|known| *known == sides || *known == [sides[1], sides[0]]) {
                talking.push(sides);
            }
        }
    }
    let mut tables: Vec<Table> =
        talking.into_iter().map(|sides| Table::empty(sides, versions)).collect();
    let pairs: Vec<(usize, usize)> =
        (0..count).flat_map(|old| (old + 1..count).map(move |new| (old, new))).collect();
    let mut left_out = BTreeSet::new();
    for (pair, report) in reports(versions, &pairs) {
        for change in &report.changes {
            if options.ignore_unstable && change.unstable {
                left_out.insert(change.id.clone());
                continue;
            }
            for table in &mut tables {
                table.add(change, pair);
            }
        }
    }
    Matrix {
        versions: versions.iter().map(|version| version.label.clone()).collect(),
        methods: methods.into_iter().collect(),
        tables,
        left_out: left_out.len(),
    }
}

/// The sides that send each other messages, each two once.
fn talking_sides(protocol: &Protocol) -> Vec<[&str; 2]> {
    let sides: Vec<&str> = protocol.sides.iter().map(|side| side.name.wire.as_str()).collect();
    let payloads = protocol.methods.iter().flat_map(|method| protocol.payloads(method));
    let payloads: Vec<_> = payloads.map(|(payload, _)| payload).collect();
    let mut found = Vec::new();
    for (at, one) in sides.iter().enumerate() {
        for other in sides.iter().skip(at + 1) {
            let talk = payloads.iter().any(|payload| {
                let ends = [payload.sender.as_str(), payload.receiver.as_str()];
                ends.iter().all(|end| [one, other].contains(&end))
            });
            if talk {
                found.push([*one, *other]);
            }
        }
    }
    // A protocol whose methods are everyone's has no sides to tell apart.
    if found.is_empty() && !payloads.is_empty() {
        found.push([EITHER, EITHER]);
    }
    found
}

/// The reports of pairs of versions, in the order of the pairs.
fn reports(versions: &[Version], pairs: &[(usize, usize)]) -> Vec<((usize, usize), Report)> {
    let compared = |(old, new): (usize, usize)| {
        let report = compare_messages(subject(versions.get(old)?), subject(versions.get(new)?));
        Some(((old, new), report))
    };
    parallel::map(pairs.to_vec(), compared).into_iter().flatten().collect()
}

fn subject(version: &Version) -> Subject<'_> {
    Subject { protocol: &version.protocol, document: Some(&version.schema.root) }
}

impl Table {
    /// A table of two sides in which nothing is known to happen.
    fn empty([rows, columns]: [&str; 2], versions: &[Version]) -> Self {
        let has = |version: &Version, side: &str| {
            side == EITHER || version.protocol.sides.iter().any(|it| it.name.wire == side)
        };
        let cells = versions.iter().map(|row| {
            let cells = versions.iter().map(|column| Cell {
                absent: !has(row, rows) || !has(column, columns),
                ..Cell::default()
            });
            cells.collect()
        });
        Self { rows: rows.to_owned(), columns: columns.to_owned(), cells: cells.collect() }
    }

    /// Enters what a change does between the peers of two versions.
    fn add(&mut self, change: &Change, (old, new): (usize, usize)) {
        let lenient = change.effective_wire.unwrap_or(change.wire);
        let is_new_method = change.rule.id.starts_with("method-added-");
        for direction in Direction::BOTH {
            let (sender, receiver) = match direction {
                Direction::OldToNew => (old, new),
                Direction::NewToOld => (new, old),
            };
            let verdict = Forgiven {
                strict: change.wire.towards(direction),
                lenient: lenient.towards(direction),
            };
            for payload in &change.positions {
                for (row, column) in self.cells_of(payload, sender, receiver) {
                    let cell = self.cell_mut(row, column).filter(|cell| !cell.absent);
                    let Some(cell) = cell else { continue };
                    if is_new_method && direction == Direction::NewToOld {
                        cell.unknown.insert(payload.method.clone());
                    }
                    if verdict.strict != Verdict::Ok && change.is_felt() {
                        cell.add(&payload.method, verdict);
                    }
                }
            }
        }
    }

    /// The cell of two versions, by their positions.
    pub fn cell(&self, row: usize, column: usize) -> Option<&Cell> {
        self.cells.get(row)?.get(column)
    }

    fn cell_mut(&mut self, row: usize, column: usize) -> Option<&mut Cell> {
        self.cells.get_mut(row)?.get_mut(column)
    }

    /// The cells that a message belongs to, by the versions of its sender and its receiver.
    fn cells_of(
        &self,
        payload: &Payload,
        sender: usize,
        receiver: usize,
    ) -> impl Iterator<Item = (usize, usize)> + use<> {
        let is = |end: &str, side: &str| end == side || end == EITHER;
        let sent_by = |from: &str, to: &str| is(&payload.sender, from) && is(&payload.receiver, to);
        let by_row = sent_by(&self.rows, &self.columns).then_some((sender, receiver));
        let by_column = sent_by(&self.columns, &self.rows).then_some((receiver, sender));
        by_row.into_iter().chain(by_column)
    }
}
