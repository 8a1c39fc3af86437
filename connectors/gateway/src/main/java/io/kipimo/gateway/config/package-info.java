/**
 * What a gateway is told in its file. Read {@link io.kipimo.gateway.config.GatewayConfig} first;
 * {@link io.kipimo.gateway.config.ConfigFile} reads it and tells every problem at once.
 */
package io.kipimo.gateway.config;
