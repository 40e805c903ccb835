# What contributors do, as `just RECIPE`. Every recipe is one command that works without just.

# What can be done
default:
    @just --list

# The inner loop: all tests that need no other toolchain
quick *FILTER:
    cargo test --lib --test fast -- {{FILTER}}

# Accepts what comes out as what is expected: everywhere, or in these suites
bless *SUITES:
    .ci/bless {{SUITES}}

# Everything that has to pass before a change lands
ci:
    .ci/run

# Begins a rule of `diff`, with its case
new-rule NAME *GROUP:
    .ci/new-rule {{NAME}} {{GROUP}}

# Begins an annotation of schemas, with its case
new-annotation NAME:
    .ci/new-annotation {{NAME}}

# Begins a case of tests/cases
new-case NAME:
    .ci/new-case {{NAME}}

# Measures: `pipeline` and `scale`, or a folder or script of benches/
bench NAME *ARGUMENTS:
    .ci/bench {{NAME}} {{ARGUMENTS}}

# Takes the pictures in docs/images anew
screenshots:
    .ci/screenshots

# Gives schemas that are edited at random to all of the tool, for so many minutes
fuzz MINUTES="1":
    ACP_FUZZ_MINUTES={{MINUTES}} cargo test --test properties fuzz:: -- --nocapture
