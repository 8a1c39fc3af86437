package io.kipimo.gateway.config;

import java.util.Optional;

/**
 * TLS towards servers.
 *
 * @param authorities PEM file with the authorities of servers' certificates; empty: the JVM's
 * @param certificate that the gateway shows to servers
 * @param name that servers' certificates must have; empty: the host of the address
 * @param verify false: every certificate is accepted
 */
public record ServerTlsConfig(
        String authorities, Optional<CertificateFiles> certificate, String name, boolean verify) {}
