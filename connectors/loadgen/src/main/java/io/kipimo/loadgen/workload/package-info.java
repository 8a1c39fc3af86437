/** What a load generator runs, whatever the target is. */
package io.kipimo.loadgen.workload;
