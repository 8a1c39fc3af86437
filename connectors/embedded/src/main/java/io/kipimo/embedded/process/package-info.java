/**
 * Common parts of all processes and servers of the harness: child JVMs that end with their parent, free ports,
 * directories that are removed. Read {@link io.kipimo.embedded.process.ChildProcess} first.
 */
package io.kipimo.embedded.process;
