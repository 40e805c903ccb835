// Decodes messages as a type of the generated package and encodes them again: one JSON object a
// line, `{"type", "value"}` in, `{"ok"}` or `{"error"}` out.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	sdk "acp"
)

type message struct {
	Type  string          `json:"type"`
	Value json.RawMessage `json:"value"`
}

type outcome struct {
	OK    json.RawMessage `json:"ok,omitempty"`
	Error string          `json:"error,omitempty"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		if err := out.Encode(judge(lines.Bytes())); err != nil {
			panic(err)
		}
	}
}

func judge(line []byte) outcome {
	var in message
	if err := json.Unmarshal(line, &in); err != nil {
		return outcome{Error: err.Error()}
	}
	known, has := sdk.Types[in.Type]
	if !has {
		return outcome{Error: fmt.Sprintf("there is no type %q", in.Type)}
	}
	value := known()
	if err := json.Unmarshal(in.Value, value); err != nil {
		return outcome{Error: err.Error()}
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return outcome{Error: err.Error()}
	}
	return outcome{OK: encoded}
}
