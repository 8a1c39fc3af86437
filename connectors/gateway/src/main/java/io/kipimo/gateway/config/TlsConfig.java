package io.kipimo.gateway.config;

import java.util.List;

/**
 * TLS towards callers.
 *
 * @param certificates a caller that names a host (SNI) gets the one with that name, others get the first
 * @param clientAuthorities PEM file with the authorities of callers' certificates; empty: callers need none
 */
public record TlsConfig(List<CertificateFiles> certificates, String clientAuthorities) {
    public TlsConfig {
        certificates = List.copyOf(certificates);
    }
}
