/**
 * Encoding of records to Protobuf bytes and back, with all checks of fields. Every refusal has a reason, so no record
 * is dropped silently. Read {@link io.kipimo.schemas.codec.Codecs} first, then {@link io.kipimo.schemas.codec.Checks}.
 */
package io.kipimo.schemas.codec;
