/** Generates load on a target, open or closed, and measures its answers. */
package io.kipimo.loadgen;
