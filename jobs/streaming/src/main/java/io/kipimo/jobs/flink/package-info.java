/** What jobs need of Flink that is not public there, each thing once. */
package io.kipimo.jobs.flink;
