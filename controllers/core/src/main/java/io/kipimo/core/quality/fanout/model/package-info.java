/**
 * Predicts which components contribute to a query, from hashes of what the front end knows of it. The method is online
 * multinomial logistic regression over a hashed table (feature hashing, Weinberger et al. 2009; AdaGrad, Duchi et al.
 * 2011), as in learned resource selection for selective search. Begin with
 * {@link io.kipimo.core.quality.fanout.model.FanOutChoice}. {@link io.kipimo.core.quality.fanout.model.FanOutAdvice}
 * says how much work fewer components would save, and {@link io.kipimo.core.quality.fanout.model.FanOutPublisher}
 * decides when front ends get a model.
 */
package io.kipimo.core.quality.fanout.model;
