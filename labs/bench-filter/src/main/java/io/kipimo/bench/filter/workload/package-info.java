/** What the sides of the filter benchmark do: the same reads and changes, by their own means. */
package io.kipimo.bench.filter.workload;
