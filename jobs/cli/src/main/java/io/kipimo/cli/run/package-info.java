/** Commands that start jobs: in this process, or on a Flink cluster through its REST interface. */
package io.kipimo.cli.run;
