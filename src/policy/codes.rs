//! The codes that every command may report of its input, and what they mean.

use super::rule::Word;

const fn code(word: &'static str, subject: &'static str, meaning: &'static str) -> Word {
    Word { word, subject, meaning }
}

/// The codes of errors and warnings that are no rules' names: those in the brackets of
/// `error[no-schema]`.
pub static CODES: &[Word] = &[
    code(
        "alias-left-out",
        "the packages no longer have an old name",
        "Its file says in which version it goes.",
    ),
    code(
        "bad-aliases",
        "the file of old names is not what it should be",
        "It has a table `[[alias]]` for each, with an old name that is gone and a new one that is there.",
    ),
    code(
        "bad-config",
        "the configuration is not what it should be",
        "`acp-bindgen.toml` is TOML, and has only keys that are known.",
    ),
    code(
        "bad-file-name",
        "a file of a package cannot have the path that is wished for",
        "`files` of a target names modules of the package, and paths among its other modules.",
    ),
    code(
        "bad-function-name",
        "a function cannot have the name that is wished for",
        "`x-function-name` is an identifier, and no word that a language keeps for itself.",
    ),
    code(
        "bad-history",
        "an old schema of the docs' history cannot be read",
        "The docs say since when there is what from a folder of old schemas.",
    ),
    code(
        "bad-manifest",
        "the list of the last run's files cannot be read",
        "It says which files may be replaced; without it, none may.",
    ),
    code(
        "bad-name",
        "the name cannot name a package or file",
        "Package registries and file systems allow only some characters.",
    ),
    code(
        "bad-path",
        "what is named so cannot be the path of a file",
        "It leads out of the folder, or no file system allows it.",
    ),
    code(
        "bad-waivers",
        "the file of waivers is not what it should be",
        "It has a table `[[waiver]]` for each finding, with a reason and a last day.",
    ),
    code(
        "cyclic-ref",
        "definitions refer to each other in a circle",
        "No value can be found at the end of the references. One of them has to say what it is.",
    ),
    code(
        "dangling-ref",
        "a reference leads to no definition",
        "What is meant is not in `$defs`, or has another name there.",
    ),
    code(
        "doubled-property",
        "a property that leads back to its object is listed twice",
        "An object and one of its alternatives list it: each level of a value would be decoded twice.",
    ),
    code(
        "duplicate-binding",
        "two types are bound to one method in the same role",
        "A method has one type of params and one of results.",
    ),
    code(
        "duplicate-definition",
        "two schemas define one name in two ways",
        "Of schemas that are read together, each defines what the others do not, or the very same.",
    ),
    code(
        "expired-waiver",
        "a waiver's last day is over",
        "The finding counts again, until somebody agrees to it anew.",
    ),
    code(
        "file-collision",
        "two files would have one path",
        "Some file systems take names for the same that differ in upper and lower case.",
    ),
    code("file-in-the-way", "there is a file already", "`init` replaces nothing."),
    code(
        "folder-in-use",
        "another run is writing to the same folder",
        "Two runs at once would mix their files. Run it again when the other one has ended.",
    ),
    code(
        "foreign-file",
        "a file is in the way that is not of the last run",
        "It may be somebody's work: nothing is written at all.",
    ),
    code(
        "git",
        "git does not give the text or the revision",
        "The revision, the path in it, or the repository is not there.",
    ),
    code(
        "infinite-type",
        "no value of the type can be built",
        "Each would have to contain another of its own kind.",
    ),
    code("internal-template", "a built-in template fails", "This is a fault of acp-bindgen."),
    code(
        "invalid-result",
        "the result of a cancelled request is not one",
        "`x-cancels` says what a cancelled request is answered with, and the method cannot give it.",
    ),
    code("invalid-rust", "generated Rust does not parse", "This is a fault of acp-bindgen."),
    code(
        "malformed-catalogue",
        "the catalogue is not what it should be",
        "It is the saved answer of the request that lists the entries.",
    ),
    code(
        "malformed-keyword",
        "a keyword or annotation has a value of the wrong kind",
        "It is left out, so that what it should have said is missing.",
    ),
    code(
        "misplaced-cancels",
        "`x-cancels` stands where it has no meaning",
        "It is for the params of a method that cancels requests.",
    ),
    code(
        "misplaced-catalogue",
        "`x-catalogue` stands where it has no meaning, or twice",
        "It is for the params of the one request that calls catalogue entries.",
    ),
    code(
        "misplaced-choice",
        "`x-choice` stands where it has no meaning",
        "It is for the params of a request that offers options.",
    ),
    code(
        "misplaced-file-access",
        "`x-file-access` stands where it has no meaning",
        "It is for the params of a request that reads or writes a file.",
    ),
    code(
        "misplaced-handle",
        "`x-handle` stands where it has no meaning",
        "It is for the params of a request that opens something.",
    ),
    code(
        "misplaced-process",
        "`x-process` stands where it has no meaning",
        "It is for the params of a request that opens something, beside `x-handle`.",
    ),
    code(
        "misplaced-stream",
        "`x-stream` stands where it has no meaning",
        "It is for the params of a request whose result comes in pieces.",
    ),
    code(
        "misplaced-version",
        "`x-protocol-version` stands where it has no meaning",
        "It is for one property of the params of a request, and one of its result.",
    ),
    code(
        "missing-type",
        "a schema speaks of properties or items and names no `type`",
        "JSON Schema lets values of all other types through: a type for them has to stand beside the object.",
    ),
    code(
        "name-collision",
        "two things would have one name in generated code",
        "The user chose both names: `x-name` gives one of them another.",
    ),
    code(
        "no-catalogue",
        "there is a catalogue, and no request that calls its entries",
        "`x-catalogue` names the request.",
    ),
    code(
        "no-license-text",
        "no package carries the text of its licence",
        "The texts of `MIT` and `Apache-2.0` are known; another one is in a file, which `license-file` names.",
    ),
    code(
        "no-out-dir",
        "the build script does not run in a build",
        "Cargo sets `OUT_DIR` where the generated file belongs.",
    ),
    code(
        "no-published-types",
        "no public type is declared in the package",
        "`names` reads what a package publishes: declaration files, modules, or sources.",
    ),
    code("no-schema", "no schema is named", "A flag, or `schema` in acp-bindgen.toml, names one."),
    code(
        "no-templates",
        "there is no template",
        "A folder of templates has files that end in `.jinja`.",
    ),
    code(
        "not-a-protocol",
        "the document defines no type",
        "It is in another format, or empty: nothing could be generated from it.",
    ),
    code(
        "not-a-schema",
        "the document is no JSON object",
        "A schema of a protocol is an object with definitions.",
    ),
    code("not-utf8", "a text is not UTF-8", "JSON is."),
    code(
        "old-edition",
        "the crate's edition is older than what generated code is written in",
        "It compiles in the edition 2021 and later ones.",
    ),
    code(
        "old-rust-version",
        "the crate promises to build with a Rust in which generated code does not compile",
        "Cargo does not check the promise; whoever has that version would see errors in generated code.",
    ),
    code(
        "only-whole",
        "a part of a schema cannot be printed",
        "`inspect --format schema` prints a file that stands by itself: take what you need from it.",
    ),
    code(
        "outside-folder",
        "a link in a folder of templates leads out of it",
        "What it leads to would become a part of the package: a copy in the folder is one that was chosen.",
    ),
    code(
        "python-default",
        "a default cannot be written in Python",
        "The field has to be given, or is left out.",
    ),
    code(
        "published-file-unread",
        "a file of the published package cannot be read",
        "Its types are left out.",
    ),
    code(
        "published-name-lost",
        "generated code cannot have a published name",
        "An overlay cannot say it, or it is the name of something else.",
    ),
    code(
        "published-names",
        "how many names of a published package generated code has",
        "The others are told one by one.",
    ),
    code(
        "published-name-passed-on",
        "a published class of a variant has the name of what the variant has",
        "That gets another name, which the overlay says.",
    ),
    code(
        "published-own-types",
        "a published package has types that no message is of",
        "They have functions and no properties, or are errors that are raised.",
    ),
    code(
        "published-type-guessed",
        "a published type is held to be one of the schema's",
        "Their names differ; their members are the same, or nearly.",
    ),
    code(
        "published-type-twice",
        "a published package declares a type in two ways",
        "It holds several versions; the first one counts.",
    ),
    code(
        "published-type-unknown",
        "nothing in the schema is like a published type",
        "It is the package's own, or of another version of the protocol.",
    ),
    code(
        "python-raw-variant",
        "Python keeps a variant as plain JSON",
        "Its payload is not of one known kind of object.",
    ),
    code(
        "same-folder",
        "two packages have one folder",
        "Each has a manifest of its own, and would remove the files of the other.",
    ),
    code("template", "a custom template fails", "The place and the reason are shown."),
    code(
        "template-path",
        "the name of a template says something unknown in brackets",
        "`[type]`, `[side]`, `[method]` and `[package]` are replaced by names.",
    ),
    code(
        "too-large",
        "the text is too large",
        "No schema that people write is; reading it could exhaust the memory.",
    ),
    code(
        "unknown-cancels",
        "`x-cancels` names something that is not there",
        "It names a request, and a property by which both sides know it.",
    ),
    code(
        "unknown-capability",
        "`x-capability` names a property that is not there",
        "Capabilities are properties of what a side tells about itself.",
    ),
    code(
        "unknown-catalogue",
        "`x-catalogue` names something that is not there",
        "It names a request that lists entries, and properties of the params and the result.",
    ),
    code(
        "unknown-choice",
        "`x-choice` names something that is not there, or is not what it has to be",
        "It names the options that are offered, and where the answer says which was chosen.",
    ),
    code(
        "unknown-file",
        "the package has no file of this path",
        "`files` of a target has on its left what a file is called without it. With `runtime = \"none\"` there are fewer files.",
    ),
    code(
        "unknown-file-access",
        "`x-file-access` names something that is not there, or is not what it has to be",
        "It names the properties that hold a path, a text and what part of it is meant.",
    ),
    code(
        "unknown-handle",
        "`x-handle` names something that is not there",
        "It names methods and a property of the result.",
    ),
    code(
        "unknown-key",
        "`x-key`, `x-patch-of`, `x-status` or `x-value` names something that is not there",
        "They name properties, values and a type.",
    ),
    code("unknown-name", "no method or type has this name", "`acp-bindgen inspect` lists them."),
    code(
        "unknown-process",
        "`x-process` names something that is not there, or is not what it has to be",
        "It names requests and properties by which a program is started, read, awaited and ended.",
    ),
    code(
        "unknown-remote",
        "`x-remote` names something that is not there",
        "It names methods and the property of a session.",
    ),
    code(
        "unknown-role",
        "a type is bound to a method, and it is not clear as what",
        "Its name ends in Request, Response or Notification, or in Params or Result; or a message \
         union lists it.",
    ),
    code("unknown-rule", "no rule or word has this name", "`acp-bindgen explain` lists them all."),
    code(
        "unknown-schema",
        "no bundled schema has this name",
        "The message lists those that come with the tool.",
    ),
    code(
        "unknown-shorthand",
        "`x-shorthand` names no variant of the union",
        "It names the tag of a variant with one value.",
    ),
    code(
        "unknown-stream",
        "`x-stream` names something that is not there",
        "It names a notification, and the properties by which its pieces are found.",
    ),
    code(
        "unknown-target",
        "no target has this name",
        "A target is a language, reference docs, or a folder of templates.",
    ),
    code(
        "unknown-template",
        "no built-in template has this name",
        "A template in place of a built-in one has its path.",
    ),
    code(
        "unknown-type",
        "`type` names no type of JSON",
        "They are null, boolean, integer, number, string, array and object.",
    ),
    code(
        "unlocated-capability",
        "a capability is needed, and where it is told is not said",
        "`x-capabilities` marks the property in which a side tells its capabilities.",
    ),
    code(
        "unreachable-capabilities",
        "`x-capabilities` marks a property that no message begins with",
        "It is for a property of a method's params or result.",
    ),
    code(
        "unmapped-ref",
        "a reference leads to a schema that is not here",
        "No file stands for the URL, or the text that refers to it is no file itself.",
    ),
    code("unreadable", "a file cannot be read", "It is not there, or may not be read."),
    code("unsatisfiable", "no value is valid", "Two restrictions keep everything out."),
    code(
        "unsupported-ref",
        "a reference leads out of the document's definitions",
        "References go to `#/$defs/NAME`.",
    ),
    code(
        "unused-waiver",
        "a waiver is for no finding",
        "What it was for is mended, or has another name.",
    ),
    code(
        "unwatchable",
        "a file cannot be watched",
        "The operating system does not say when it changes.",
    ),
    code(
        "unwritable",
        "a file cannot be written",
        "Its folder is not there, or may not be written to, or the disk is full.",
    ),
];
