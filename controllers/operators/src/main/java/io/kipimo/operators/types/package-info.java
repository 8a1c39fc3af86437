/**
 * Serialization between Flink's operators and in state. There is one way, the {@link io.kipimo.operators.types.Format}:
 * derived from the fields, or a topic's message, or by hand on hot paths. Each has a name. No class name, and no type
 * of Kryo's, gets into a savepoint.
 *
 * <p>Read {@link io.kipimo.operators.types.Format} first.
 */
package io.kipimo.operators.types;
