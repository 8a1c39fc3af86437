/**
 * Checks that duplicates of a store behave like a single store. Read
 * {@link io.kipimo.harness.duplicates.OperationHistory} first.
 */
package io.kipimo.harness.duplicates;
