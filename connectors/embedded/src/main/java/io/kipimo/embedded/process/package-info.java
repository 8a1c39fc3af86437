/**
 * Common parts of all embedded processes and servers: child JVMs that end with their parent, free ports, and temporary
 * directories. Read {@link io.kipimo.embedded.process.ChildProcess} first.
 */
package io.kipimo.embedded.process;
