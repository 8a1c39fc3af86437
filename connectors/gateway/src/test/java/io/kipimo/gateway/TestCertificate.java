package io.kipimo.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A self-signed certificate that the JDK's keytool makes, with its key in PEM files.
 *
 * @param name common name
 */
record TestCertificate(String name, Path certificate, Path key, KeyStore store) {
    private static final char[] PASSWORD = "password".toCharArray();

    /**
     * Makes a certificate.
     *
     * @param alternatives in keytool's form, {@code dns:a.test,ip:127.0.0.1}
     */
    static TestCertificate of(Path directory, String name, String alternatives) throws Exception {
        Path file = directory.resolve(name + ".p12");
        ProcessBuilder keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "a",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=" + alternatives,
                        "-validity",
                        "30",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true);
        keytool.environment().put("JAVA_TOOL_OPTIONS", System.getProperty("kipimo.child.jvm", ""));
        Process process = keytool.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("keytool: " + output);
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return new TestCertificate(
                name,
                pem(
                        directory.resolve(name + ".pem"),
                        "CERTIFICATE",
                        store.getCertificate("a").getEncoded()),
                pem(
                        directory.resolve(name + "-key.pem"),
                        "PRIVATE KEY",
                        store.getKey("a", PASSWORD).getEncoded()),
                store);
    }

    private static Path pem(Path file, String what, byte[] bytes) throws IOException {
        return Files.writeString(
                file,
                "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                        .formatted(what, Base64.getMimeEncoder().encodeToString(bytes), what));
    }

    /** As an entry of {@code certificates}. */
    String files() {
        return "{certificate: '%s', key: '%s'}".formatted(certificate, key);
    }

    /** This certificate and key, in files of another directory. */
    TestCertificate copy(Path directory) throws IOException {
        return new TestCertificate(
                name,
                Files.copy(certificate, directory.resolve(certificate.getFileName())),
                Files.copy(key, directory.resolve(key.getFileName())),
                store);
    }

    /** Puts this certificate and its key into the files of another one. */
    void replace(TestCertificate other) throws IOException {
        Files.copy(certificate, other.certificate, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(key, other.key, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Of a client that shows this certificate, and trusts the other one. */
    SSLContext trusting(KeyStore other) throws GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, PASSWORD);
        return context(keys, other);
    }

    /** Of a client without a certificate. */
    static SSLContext context(KeyStore trusted) throws GeneralSecurityException {
        return context(null, trusted);
    }

    private static SSLContext context(KeyManagerFactory keys, KeyStore trusted) throws GeneralSecurityException {
        KeyStore authorities;
        try {
            authorities = KeyStore.getInstance("PKCS12");
            authorities.load(null, null);
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
        authorities.setCertificateEntry("a", trusted.getCertificate("a"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(authorities);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys == null ? null : keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
