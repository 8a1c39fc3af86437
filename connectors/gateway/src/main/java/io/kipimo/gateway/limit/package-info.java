/**
 * The limit that holds without the control plane. Read {@link io.kipimo.gateway.limit.LocalLimit}.
 */
package io.kipimo.gateway.limit;
