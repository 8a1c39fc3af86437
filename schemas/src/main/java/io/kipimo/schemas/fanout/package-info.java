/** What front ends choose components by. Begin with {@link io.kipimo.schemas.fanout.FanOutPublication}. */
package io.kipimo.schemas.fanout;
