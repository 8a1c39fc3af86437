/** Imposes load on a target, open or closed, and tells how the target bore it. */
package io.kipimo.loadgen;
