/**
 * How records travel between Flink's operators and rest in its state: as the Protobuf bytes of
 * their wire message, so that a savepoint and the log age by the same rules and nothing falls back
 * to Kryo.
 *
 * <p>Read {@link io.kipimo.operators.types.CodecTypeInfo} first.
 */
package io.kipimo.operators.types;
