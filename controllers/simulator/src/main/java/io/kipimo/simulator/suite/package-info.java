/** Closed-loop scenarios by which admission control and replication are judged. */
package io.kipimo.simulator.suite;
