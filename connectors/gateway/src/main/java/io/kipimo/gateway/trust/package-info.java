/**
 * Trust in callers: a client must not choose whether it is measured or admitted, or whether it gets a response that was
 * recorded for others (SECURITY.md). Read {@link io.kipimo.gateway.trust.Trust}.
 */
package io.kipimo.gateway.trust;
