/**
 * What the quality job must say about a given traffic: generated queries with every fault that a
 * log can have, and a plain, slow, obviously right computation of every row that has to come out
 * (Ubora, sec. 3). It shares no code with the job but the records and their codecs. Every outcome
 * is independent of the order in which the partitions are read. Read {@link
 * io.kipimo.harness.oracle.QualityTraffic} first.
 */
package io.kipimo.harness.oracle;
