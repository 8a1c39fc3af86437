package io.kipimo.local;

import io.kipimo.cli.terminal.InputException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * States which certificates of engines are trusted.
 *
 * @param isInsecure trusts every certificate
 * @param authorities PEM file of the trusted authorities; empty: those of the JVM
 */
record EngineTrust(boolean isInsecure, Optional<Path> authorities) {
    /**
     * Returns a context for requests without TLS. It trusts nobody, because reading the JVM's authorities would take
     * longer than all these requests.
     */
    static SSLContext none() {
        return context(new TrustManager[0]);
    }

    /** @throws InputException if the file has no certificates */
    SSLContext context() {
        if (isInsecure) {
            return context(new TrustManager[] {new EveryCertificate()});
        }
        return authorities.map(file -> context(trustOf(file))).orElseGet(() -> context(null));
    }

    private static SSLContext context(TrustManager[] trust) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static TrustManager[] trustOf(Path file) {
        try (InputStream pem = Files.newInputStream(file)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                trusted.setCertificateEntry(Integer.toString(trusted.size()), one);
            }
            InputException.throwIf(
                    trusted.size() == 0, "--ca is '" + file + "', which has no certificate; allowed: PEM");
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            return factory.getTrustManagers();
        } catch (IOException | GeneralSecurityException e) {
            throw new InputException("--ca is '" + file + "', which cannot be read as certificates (" + e.getMessage()
                    + "); allowed: a PEM file");
        }
    }

    /**
     * Trusts every certificate. It extends the extended class, because the JDK would itself check the host's name for a
     * plain trust manager.
     */
    private static final class EveryCertificate extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
