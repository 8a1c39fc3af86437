/** What it would save to ask fewer components. Begin with {@link io.kipimo.core.quality.fanout.FanOutAdvice}. */
package io.kipimo.core.quality.fanout;
