package io.kipimo.gateway.tls;

import io.kipimo.gateway.config.CertificateFiles;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SSLOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.X509KeyManager;

/**
 * Contents of the TLS files of one side of a listener, as they were read.
 *
 * @param authorities null: none are set
 */
record PemContents(List<Buffer> certificates, List<Buffer> keys, Buffer authorities) {
    /** Bytes that are signed to check that a key belongs to a certificate. */
    private static final byte[] PROBE = "kipimo".getBytes(StandardCharsets.UTF_8);

    /** Something is wrong with a file. */
    static final class BadFileException extends Exception {
        private static final long serialVersionUID = 1;

        BadFileException(String what) {
            super(what);
        }

        BadFileException(String what, Throwable cause) {
            super(what, cause);
        }
    }

    /**
     * Reads and checks the files.
     *
     * @param authorities file; empty: none
     * @throws BadFileException that names the first file that cannot be used, and why
     */
    static PemContents read(List<CertificateFiles> pairs, String authorities) throws BadFileException {
        List<Buffer> certificates = new ArrayList<>();
        List<Buffer> keys = new ArrayList<>();
        for (CertificateFiles pair : pairs) {
            Buffer certificate = bytes(pair.certificate());
            Buffer key = bytes(pair.key());
            check(pair, certificate, key);
            certificates.add(certificate);
            keys.add(key);
        }
        Buffer trusted = null;
        if (!authorities.isEmpty()) {
            trusted = bytes(authorities);
            first(authorities, trusted);
        }
        return new PemContents(certificates, keys, trusted);
    }

    private static Buffer bytes(String file) throws BadFileException {
        try {
            return Buffer.buffer(Files.readAllBytes(Path.of(file)));
        } catch (NoSuchFileException | InvalidPathException e) {
            throw new BadFileException("'" + file + "' does not exist", e);
        } catch (IOException e) {
            throw new BadFileException("'" + file + "' cannot be read: " + e, e);
        }
    }

    private static X509Certificate first(String file, Buffer pem) throws BadFileException {
        try {
            List<X509Certificate> all =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(pem.getBytes()))
                            .stream()
                            .map(X509Certificate.class::cast)
                            .toList();
            if (!all.isEmpty()) {
                return all.get(0);
            }
        } catch (CertificateException e) {
            // Reported below.
        }
        throw new BadFileException("'" + file + "' has no certificate; allowed: PEM, X.509");
    }

    private static void check(CertificateFiles files, Buffer certificate, Buffer key) throws BadFileException {
        X509Certificate own = first(files.certificate(), certificate);
        PrivateKey secret;
        try {
            X509KeyManager manager = (X509KeyManager) new PemKeyCertOptions()
                    .addCertValue(certificate)
                    .addKeyValue(key)
                    // Without paths it reads no file, so it needs no Vert.x.
                    .getKeyManagerFactory(null)
                    .getKeyManagers()[0];
            String algorithm = own.getPublicKey().getAlgorithm();
            secret = manager.getPrivateKey(manager.getServerAliases(algorithm, null)[0]);
        } catch (Exception e) {
            throw new BadFileException(
                    "'%s' has no key that can be read; allowed: PEM, not encrypted, PKCS #8 or RSA or EC"
                            .formatted(files.key()),
                    e);
        }
        if (!belongs(secret, own)) {
            throw new BadFileException("the key in '%s' does not belong to the certificate in '%s'"
                    .formatted(files.key(), files.certificate()));
        }
    }

    private static boolean belongs(PrivateKey key, X509Certificate certificate) {
        Optional<String> algorithm =
                switch (key.getAlgorithm()) {
                    case "RSA" -> Optional.of("SHA256withRSA");
                    case "EC" -> Optional.of("SHA256withECDSA");
                    default -> Optional.empty();
                };
        if (algorithm.isEmpty()) {
            return true;
        }
        try {
            Signature signature = Signature.getInstance(algorithm.get());
            signature.initSign(key);
            signature.update(PROBE);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(PROBE);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    SSLOptions options() {
        SSLOptions options = new SSLOptions();
        if (!certificates.isEmpty()) {
            PemKeyCertOptions own = new PemKeyCertOptions();
            certificates.forEach(own::addCertValue);
            keys.forEach(own::addKeyValue);
            options.setKeyCertOptions(own);
        }
        if (authorities != null) {
            options.setTrustOptions(new PemTrustOptions().addCertValue(authorities));
        }
        return options;
    }
}
