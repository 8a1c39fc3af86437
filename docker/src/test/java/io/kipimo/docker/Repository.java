package io.kipimo.docker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Files of this repository. */
final class Repository {
    /** Directory in which Maven runs this module's tests. */
    static final Path DOCKER = Path.of("").toAbsolutePath();

    static final Path ROOT = DOCKER.getParent();

    private static final ObjectMapper YAML = new YAMLMapper();

    private Repository() {}

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The documents of a YAML file. */
    static List<JsonNode> yaml(Path file) {
        return yaml(text(file));
    }

    static List<JsonNode> yaml(String text) {
        List<JsonNode> documents = new ArrayList<>();
        for (String document : text.split("(?m)^---$")) {
            try {
                JsonNode node = YAML.readTree(document);
                if (node != null && !node.isMissingNode() && !node.isNull()) {
                    documents.add(node);
                }
            } catch (JsonProcessingException e) {
                throw new UncheckedIOException(e);
            }
        }
        return documents;
    }

    /** The contents of a file; with {@code -Dgolden.write=true} it is written first. */
    static String golden(Path file, String expected) {
        if (Boolean.getBoolean("golden.write")) {
            try {
                Files.writeString(file, expected);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return text(file);
    }
}
