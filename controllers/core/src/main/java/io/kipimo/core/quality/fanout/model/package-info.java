/**
 * Predicts which components contribute to a query, from hashes of what the front end knows of it. The method is online
 * multinomial logistic regression over a hashed table (feature hashing, Weinberger et al. 2009; AdaGrad, Duchi et al.
 * 2011), as in learned resource selection for selective search. Begin with
 * {@link io.kipimo.core.quality.fanout.model.FanOutChoice}. {@link io.kipimo.core.quality.fanout.model.FanOutAdvice}
 * says what it would save to ask fewer components, {@link io.kipimo.core.quality.fanout.model.FanOutPublisher} when a
 * model is handed to front ends.
 */
package io.kipimo.core.quality.fanout.model;
