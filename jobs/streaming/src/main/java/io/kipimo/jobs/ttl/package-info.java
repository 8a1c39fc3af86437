/** The ttl job, which estimates times to live of cached data. Read {@link io.kipimo.jobs.ttl.TtlJob} first. */
package io.kipimo.jobs.ttl;
