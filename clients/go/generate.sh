#!/usr/bin/env bash
# Writes wire/*.pb.go from the schemas. Needs protoc and protoc-gen-go. The files are in git because `go get` has no
# build step.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
protos=../../schemas/src/main/proto
module=github.com/kipimo/kipimo/clients/go
files=() options=()
for name in items quality observation decision completeness fan_out; do
  files+=("kipimo/v1/$name.proto")
  options+=("--go_opt=Mkipimo/v1/$name.proto=$module/wire")
done
"${PROTOC:-protoc}" -I"$protos" --go_out=. --go_opt=module="$module" "${options[@]}" "${files[@]}"
