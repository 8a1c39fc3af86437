/** Models by which front ends choose components. Read {@link io.kipimo.schemas.fanout.FanOutPublication} first. */
package io.kipimo.schemas.fanout;
