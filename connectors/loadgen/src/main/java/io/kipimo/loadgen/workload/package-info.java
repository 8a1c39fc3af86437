/** The requests that a load generator sends, independent of the target. */
package io.kipimo.loadgen.workload;
