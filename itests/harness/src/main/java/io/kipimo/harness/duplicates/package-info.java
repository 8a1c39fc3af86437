/**
 * Whether duplicates of a store are one store to their clients. Read {@link
 * io.kipimo.harness.duplicates.OperationHistory} first.
 */
package io.kipimo.harness.duplicates;
