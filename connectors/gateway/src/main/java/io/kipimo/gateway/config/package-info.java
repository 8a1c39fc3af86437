/**
 * The configuration file of a gateway. Read {@link io.kipimo.gateway.config.GatewayConfig} first;
 * {@link io.kipimo.gateway.config.ConfigFile} reads it and reports every problem at once.
 */
package io.kipimo.gateway.config;
