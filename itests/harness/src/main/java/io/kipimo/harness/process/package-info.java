/**
 * Common parts of all processes and servers of the harness: child JVMs that end with their parent, free ports,
 * directories that are removed. Read {@link io.kipimo.harness.process.ChildProcess} first.
 */
package io.kipimo.harness.process;
