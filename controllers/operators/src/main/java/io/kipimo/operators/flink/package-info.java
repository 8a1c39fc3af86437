/**
 * What operators need of Flink that is not public there, each thing once. An operator's own interface (records with
 * time stamps, watermark statuses, the clock) is used where operators are.
 */
package io.kipimo.operators.flink;
