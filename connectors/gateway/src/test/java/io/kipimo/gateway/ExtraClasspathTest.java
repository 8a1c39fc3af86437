package io.kipimo.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.kipimo.gateway.config.ConfigFile;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.record.ExtraClasspath;
import io.kipimo.gateway.record.ItemReaders;
import io.kipimo.schemas.document.InvalidDocumentException;
import io.kipimo.sdk.internal.control.SettableControl;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The gateway uses readers that are compiled during the test and known only to their jar. */
class ExtraClasspathTest {
    private static final String READER = """
            package com.acme;

            import io.kipimo.gateway.record.ItemReader;
            import io.kipimo.gateway.record.RecordedResponse;
            import io.kipimo.schemas.quality.Items;

            public final class Lines implements ItemReader {
                @Override
                public String name() {
                    return "lines";
                }

                @Override
                public Items read(RecordedResponse response) {
                    String[] ids = new String(response.body()).split("\\n");
                    float[] scores = new float[ids.length];
                    for (int i = 0; i < ids.length; i++) {
                        scores[i] = 1f / (i + 1);
                    }
                    return Items.ofTexts(ids, scores);
                }
            }
            """;

    @TempDir
    private Path directory;

    private Path classes;

    @BeforeEach
    void compile() throws IOException {
        Path source = directory.resolve("Lines.java");
        Files.writeString(source, READER);
        classes = Files.createDirectory(directory.resolve("classes"));
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        classes.toString(),
                        source.toString());
        assertThat(result).isZero();
    }

    private Path jar(boolean withService) throws IOException {
        Path jar = directory.resolve("readers.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            out.putNextEntry(new JarEntry("com/acme/Lines.class"));
            Files.copy(classes.resolve("com/acme/Lines.class"), out);
            if (withService) {
                out.putNextEntry(new JarEntry("META-INF/services/io.kipimo.gateway.record.ItemReader"));
                out.write("com.acme.Lines".getBytes(StandardCharsets.UTF_8));
            }
        }
        return jar;
    }

    private static GatewayConfig config(int port, String reader) {
        return ConfigFile.read("""
                service: shop
                admin: 127.0.0.1:0
                threads: 1
                listeners:
                  - {name: front, role: front, listen: '127.0.0.1:0', servers: ['127.0.0.1:%d'], items: {reader: %s}}
                """.formatted(port, reader), null, "gw");
    }

    private List<String> itemsRead(String reader, Path... paths) throws Exception {
        SettableControl control = new SettableControl();
        control.samplingRate = 1;
        try (Upstream server = Upstream.start(r -> r.response().end("first\nsecond"))) {
            GatewayConfig config = config(server.port(), reader);
            ItemReaders readers = ItemReaders.of(config, ExtraClasspath.of(List.of(paths)));
            try (Gateway gateway = Gateway.start(config, control, readers)) {
                URI uri = URI.create("http://127.0.0.1:" + gateway.ports().get("front") + "/q");
                assertThat(HttpClient.newHttpClient()
                                .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                                .body())
                        .isEqualTo("first\nsecond");
                await("the answer is recorded").until(() -> !control.answers.isEmpty());
            }
        }
        return List.of(control.answers.get(0).items().texts());
    }

    @Test
    void aReaderInAJarIsFoundByItsName() throws Exception {
        assertThat(itemsRead("lines", jar(true))).containsExactly("first", "second");
    }

    @Test
    void aReaderIsFoundByItsClassInAJarOrADirectoryOfClassesOrJars() throws Exception {
        assertThat(itemsRead("com.acme.Lines", jar(false))).containsExactly("first", "second");
        assertThat(itemsRead("com.acme.Lines", classes)).containsExactly("first", "second");
        assertThat(itemsRead("com.acme.Lines", directory)).containsExactly("first", "second");
    }

    @Test
    void everyMissingPathIsNamed() throws IOException {
        Path text = Files.writeString(directory.resolve("a.txt"), "text");

        assertThatThrownBy(() -> ExtraClasspath.of(List.of(Path.of("/no/such.jar"), text, jar(true))))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessage("--extra-classpath has '/no/such.jar'; allowed: jars and directories that"
                        + " exist\n--extra-classpath has '"
                        + text
                        + "'; allowed: jars and directories that exist");
    }

    @ParameterizedTest
    @ValueSource(strings = {"com.acme.Missing", "java.lang.String", "lines"})
    void aReaderThatCannotBeUsedIsNamed(String reader) throws IOException {
        ClassLoader loader = ExtraClasspath.of(List.of(jar(false)));

        assertThatThrownBy(() -> ItemReaders.of(config(1, reader), loader))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageStartingWith("items.reader of front is '" + reader + "', which ")
                .hasMessageContaining("allowed: json, javabin, [");
    }

    @Test
    void aServiceWithoutItsClassIsNamed() throws IOException {
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(services.resolve("io.kipimo.gateway.record.ItemReader"), "com.acme.Gone\n");
        ClassLoader loader = ExtraClasspath.of(List.of(classes));

        assertThatThrownBy(() -> ItemReaders.of(config(1, "lines"), loader))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageContaining("com.acme.Gone");
    }
}
