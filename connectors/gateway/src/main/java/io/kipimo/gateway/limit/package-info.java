/**
 * Limits of requests and bytes that need no control plane. Read {@link
 * io.kipimo.gateway.limit.LocalLimit}.
 */
package io.kipimo.gateway.limit;
