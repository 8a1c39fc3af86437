/**
 * What every process and server of the harness needs: child JVMs that do not outlive their parent,
 * free ports, directories that are removed. Read {@link io.kipimo.harness.process.ChildProcess}
 * first.
 */
package io.kipimo.harness.process;
