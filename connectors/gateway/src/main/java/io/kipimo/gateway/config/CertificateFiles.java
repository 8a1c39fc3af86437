package io.kipimo.gateway.config;

/**
 * A certificate and its key.
 *
 * @param certificate PEM file with the certificate and the certificates of its issuers
 * @param key PEM file with the private key, not encrypted
 */
public record CertificateFiles(String certificate, String key) {}
