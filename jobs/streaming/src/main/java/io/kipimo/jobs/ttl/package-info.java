/** The ttl job. Read {@link io.kipimo.jobs.ttl.TtlJob} first. */
package io.kipimo.jobs.ttl;
