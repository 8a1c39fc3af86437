/**
 * Who is believed, and what: a client must not choose whether it is measured, admitted or answered
 * from what others were answered (SECURITY.md). Read {@link io.kipimo.gateway.trust.Trust}.
 */
package io.kipimo.gateway.trust;
