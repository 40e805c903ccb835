//! Sentences about the meaning of messages: versions, cancellation, handles, state.

use super::writer::Writer;
use crate::ir::{
    Collection, KeyChoice, KeyRules, Method, NeededCapability, Record, RemoteScope, StateChange,
    Union,
};

impl Writer<'_> {
    /// Tells in sentences what the annotations of a method say of it.
    pub(super) fn meaning_of_method(&self, method: &Method) -> Vec<String> {
        let mut notes = Vec::new();
        let negotiation = self.protocol.negotiation.iter();
        for it in negotiation.filter(|it| method.is_request() && it.method == method.name.wire) {
            let versions: Vec<String> =
                it.versions.iter().map(|version| self.markup.value(version)).collect();
            let (asked, agreed) =
                (self.markup.code(&it.params.wire), self.markup.code(&it.result.wire));
            notes.push(format!(
                "It settles the version of the protocol: {asked} is asked for, and the answer's {agreed} is the highest not above it of {}.",
                versions.join(", ")
            ));
        }
        notes.extend(self.remote(method));
        for cancels in &method.cancels {
            let request = self.method_link(&cancels.request);
            let key = self.markup.code(&cancels.key);
            let end = match &cancels.result {
                Some(result) => format!("the result {}", self.markup.value(result)),
                None => "the error of a cancelled request".to_owned(),
            };
            notes.push(format!(
                "It cancels {request} of the same {key}, which then ends with {end}."
            ));
        }
        let others = self.protocol.methods.iter();
        for other in others.filter(|other| {
            method.is_request() && other.cancels.iter().any(|it| it.request == method.name.wire)
        }) {
            notes.push(format!("It is cancelled by {}.", self.method_link(&other.name.wire)));
        }
        if let Some(handle) = &method.handle {
            let called = handle.methods.iter().map(|it| &it.method).chain(&handle.release);
            let called: Vec<String> = called.map(|wire| self.method_link(wire)).collect();
            let id = self.markup.code(&handle.id.wire);
            notes.push(format!("What it opens is used by its {id}: {}.", called.join(", ")));
        }
        notes
    }

    /// Where a method's messages travel over HTTP.
    fn remote(&self, method: &Method) -> Option<String> {
        let remote = self.protocol.remote.as_ref()?;
        if method.is_request() && remote.opens == method.name.wire {
            let (path, header) =
                (self.markup.code(&remote.path), self.markup.code(&remote.connection));
            return Some(format!(
                "Over HTTP it opens a connection: it is posted to {path}, and answered with the header {header}."
            ));
        }
        let session = remote.session.as_ref()?;
        let header = self.markup.code(&session.header);
        match self.protocol.remote_scope(method)? {
            RemoteScope::Connection => None,
            RemoteScope::Session => Some(format!(
                "Over HTTP it belongs to its session: it is sent with the header {header}, or on the session's stream."
            )),
            RemoteScope::OpensSession => Some(
                "Over HTTP it opens a session, and is answered on the connection's stream."
                    .to_owned(),
            ),
        }
    }

    /// Tells in sentences which capabilities a receiver has to declare before it is sent a part.
    pub(super) fn needed(&self, capabilities: &[NeededCapability]) -> Vec<String> {
        let sentence = |needed: &NeededCapability| {
            let side = self.markup.text(&needed.side);
            let path = self.markup.code(&needed.path.join("."));
            format!("Capability: sent to the {side} only where {path} is declared.")
        };
        capabilities.iter().map(sentence).collect()
    }

    /// Tells in sentences which properties an object must not have.
    pub(super) fn forbidden(&self, record: &Record) -> Vec<String> {
        let sentence = |keys: &Vec<String>| {
            let names: Vec<String> = keys.iter().map(|key| self.markup.code(key)).collect();
            match names.as_slice() {
                [only] => format!("There is no {only}."),
                names => format!("It does not have all of {}.", names.join(", ")),
            }
        };
        record.forbidden.iter().map(sentence).chain(self.key_rules(&record.keys)).collect()
    }

    /// Tells in sentences how many properties an object has, and which ask for others.
    fn key_rules(&self, rules: &KeyRules) -> Vec<String> {
        let count = match (rules.min_properties, rules.max_properties) {
            (Some(low), Some(high)) => Some(format!("It has {low} to {high} properties.")),
            (Some(low), None) => Some(format!("It has at least {low} of its properties.")),
            (None, Some(high)) => Some(format!("It has at most {high} properties.")),
            (None, None) => None,
        };
        let with = |(key, wanted): (&String, &Vec<String>)| {
            let wanted: Vec<String> = wanted.iter().map(|name| self.markup.code(name)).collect();
            format!("With {} it has {}, too.", self.markup.code(key), wanted.join(", "))
        };
        let choice = |choice: &KeyChoice| {
            let words = choice.words(|name| self.markup.code(name));
            format!("It has {}{words}.", if choice.only_one { "either " } else { "" })
        };
        let choices = rules.choices.iter().map(choice);
        count.into_iter().chain(rules.dependent.iter().map(with)).chain(choices).collect()
    }

    /// Tells in sentences which shorthand a union has, and how its values change a state.
    pub(super) fn meaning_of_union(&self, union: &Union) -> Vec<String> {
        let shorthand = union.shorthand.iter().map(|it| {
            let (field, variant) = (self.markup.code(&it.field), self.markup.code(&it.variant));
            format!("In code, the {field} of {variant} may stand alone.")
        });
        let collections = union.state.iter().flat_map(|state| &state.collections);
        let sentences = collections.flat_map(|collection| self.sentences(collection));
        shorthand.chain(sentences).collect()
    }

    /// Tells what each kind of change does to the items of a collection, a sentence each.
    fn sentences(&self, collection: &Collection) -> Vec<String> {
        let item = self.markup.type_name(&collection.item);
        let tags = |fits: fn(&StateChange) -> bool| {
            let variants = collection.variants.iter().filter(|it| fits(&it.change));
            let tags: Vec<String> = variants.map(|it| self.markup.code(&it.tag)).collect();
            (!tags.is_empty()).then(|| tags.join(", "))
        };
        let is_patch = |change: &StateChange| *change == StateChange::Patch;
        let how = if collection.variants.iter().any(|it| is_patch(&it.change)) {
            let null = self.markup.code("null");
            format!("; of an update, what is absent stays, and {null} clears")
        } else {
            String::new()
        };
        let put = tags(StateChange::is_put);
        let put = put.map(|tags| match &collection.key {
            Some(key) => {
                let key = self.markup.code(&key.join("."));
                format!("{tags} keep one {item} for each {key}{how}.")
            }
            None => format!("{tags} keep the latest {item}{how}."),
        });
        let appends = collection.variants.iter().filter_map(|it| match &it.change {
            StateChange::Append { from, to, .. } => Some((&it.tag, from, to.join("."))),
            StateChange::Replace | StateChange::Patch | StateChange::Remove => None,
        });
        let appends = appends.map(|(tag, from, to)| {
            let [tag, from, to] = [tag, from, &to].map(|it| self.markup.code(it));
            format!("{tag} adds its {from} to the {to} of {item}.")
        });
        let removes = tags(|it| *it == StateChange::Remove);
        let removes = removes.map(|tags| format!("{tags} removes {item}."));
        let ends = collection.status.as_ref().map(|status| {
            let [property, cancelled] = [&status.property, &status.cancelled];
            let [property, cancelled] = [property, cancelled].map(|it| self.markup.code(it));
            let open = status.open.iter().map(|value| self.markup.code(value));
            let open = open.collect::<Vec<_>>().join(", ");
            format!(
                "When a turn is cancelled, the {property} of each {item} becomes {cancelled} where it is {open} or absent."
            )
        });
        put.into_iter().chain(appends).chain(removes).chain(ends).collect()
    }
}
