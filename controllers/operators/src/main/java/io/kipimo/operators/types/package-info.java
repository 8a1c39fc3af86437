/**
 * Serialization of records between Flink's operators and in state, as the Protobuf bytes of their
 * wire message. So savepoints and the log have the same rules of compatibility, and no type falls
 * back to Kryo.
 *
 * <p>Read {@link io.kipimo.operators.types.CodecTypeInfo} first.
 */
package io.kipimo.operators.types;
