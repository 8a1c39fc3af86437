/** Load generators and clients of ratings over a log. Read {@link io.kipimo.loadgen.topics.LoadAgent} first. */
package io.kipimo.loadgen.topics;
