/**
 * Serialisation between Flink's operators and in state. Every value has a {@link io.kipimo.operators.types.Format},
 * which is derived from its fields, is that of a topic's message, or is written by hand on hot paths. Formats are
 * identified by name, so savepoints contain no class names and no types of Kryo.
 *
 * <p>Read {@link io.kipimo.operators.types.Format} first.
 */
package io.kipimo.operators.types;
