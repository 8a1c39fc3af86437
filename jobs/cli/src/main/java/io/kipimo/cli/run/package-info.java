/** Commands that start jobs, either in this process or on a Flink cluster through its REST interface. */
package io.kipimo.cli.run;
