/**
 * Wraps the parts of Flink that operators need and that are not its public interface. The exception is the interface of
 * operators themselves (records with time stamps, watermark statuses, the clock), which operators use directly.
 */
package io.kipimo.operators.flink;
