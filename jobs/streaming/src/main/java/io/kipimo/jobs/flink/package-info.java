/** Access to parts of Flink that are not public and that jobs need. */
package io.kipimo.jobs.flink;
