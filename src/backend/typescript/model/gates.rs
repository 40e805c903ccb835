//! The parts of payloads that receivers have to allow, and the methods that a capability asks for.

use serde::Serialize;

use crate::backend::typescript::literals::literal;
use crate::ir::{Gate, Method, Part, Position, Protocol, Side, Step};

/// The gates of a method's payloads.
#[derive(Debug, Serialize)]
pub(super) struct GatesModel {
    params: Vec<GateModel>,
    result: Vec<GateModel>,
}

/// A part of a payload that the receiver has to allow.
#[derive(Debug, Serialize)]
struct GateModel {
    /// The steps to the place, as expressions.
    path: Vec<String>,
    /// The path of the capability, as literals.
    capability: Vec<String>,
}

/// The methods that a side has to handle if it tells that it has a capability, as literals.
#[derive(Debug, Serialize)]
pub(super) struct AdvertisedModel {
    method: String,
    property: String,
    is_in_result: bool,
    capabilities: Vec<AdvertisedCapability>,
}

/// A capability, and the methods that stand for it.
#[derive(Debug, Serialize)]
struct AdvertisedCapability {
    capability: Vec<String>,
    methods: Vec<String>,
}

impl GatesModel {
    /// The gates of a method, if it has any.
    pub(super) fn new(protocol: &Protocol, method: &Method) -> Option<Self> {
        let mut model = Self { params: Vec::new(), result: Vec::new() };
        for (payload, ty) in protocol.payloads(method) {
            let gates = protocol.gates(&payload, ty);
            let of =
                if payload.part == Part::Result { &mut model.result } else { &mut model.params };
            of.extend(gates.iter().map(GateModel::new));
        }
        (!model.params.is_empty() || !model.result.is_empty()).then_some(model)
    }
}

impl GateModel {
    fn new(gate: &Gate) -> Self {
        let steps = gate.path.iter().map(|step| match step {
            Step::Property(name) => literal(name),
            Step::Items => String::from("rpc.ITEMS"),
            Step::Values => String::from("rpc.VALUES"),
            Step::Tag(property, tag) => format!("[{}, {}]", literal(property), literal(tag)),
        });
        Self { path: steps.collect(), capability: literals(&gate.capability) }
    }
}

impl AdvertisedModel {
    /// The methods that a side has to handle, if its capabilities ask for any.
    pub(super) fn new(protocol: &Protocol, side: &Side) -> Option<Self> {
        let location = side.capabilities.as_ref()?;
        let capabilities =
            protocol.advertised(&side.name.wire).into_iter().map(|it| AdvertisedCapability {
                capability: literals(&it.capability),
                methods: literals(&it.methods),
            });
        let capabilities: Vec<AdvertisedCapability> = capabilities.collect();
        (!capabilities.is_empty()).then(|| Self {
            method: literal(&location.method),
            property: literal(&location.property.wire),
            is_in_result: location.position == Position::Result,
            capabilities,
        })
    }
}

fn literals(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| literal(text)).collect()
}
