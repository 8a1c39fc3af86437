package io.kipimo.cli.gateway;

import io.kipimo.cli.kafka.KafkaCommand;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** A command that applies decisions about classes in a third-party proxy, such as HAProxy or Envoy. */
abstract class AdapterCommand extends KafkaCommand {
    private static final Pattern CLASS =
            Pattern.compile("([A-Za-z0-9._-]{1,64})(?::(\\d*\\.?\\d+)(?::(\\d*\\.?\\d+))?)?");

    @Option(
            names = "--class",
            paramLabel = "NAME[:FLOOR[:SAFE]]",
            description = "A class that may be shed, its least fraction, and its fraction without a"
                    + " decision; repeatable. Default: 0.01 and 1")
    private List<String> classes = List.of();

    /**
     * Reads the classes and their defaults, by name in the given order; empty if none were given.
     *
     * @throws InputException if a class cannot be read
     */
    Map<String, ClassDefaults> defaults() {
        Map<String, ClassDefaults> defaults = new LinkedHashMap<>();
        for (String text : classes) {
            Matcher form = CLASS.matcher(text);
            InputException.throwIf(
                    !form.matches(), "--class is '" + text + "'; allowed: NAME, NAME:0.01, NAME:0.01:0.5");
            double floor = form.group(2) == null ? 0.01 : Double.parseDouble(form.group(2));
            double safe = form.group(3) == null ? 1 : Double.parseDouble(form.group(3));
            defaults.put(form.group(1), new ClassDefaults(safe, floor, 1));
        }
        return defaults;
    }

    /** Connects to the decisions about these classes of a service, as a front end of this tier. */
    Kipimo connect(String service, String tier, Map<String, ClassDefaults> defaults) {
        KipimoConfig.Builder config = KipimoConfig.builder(
                        service, tier + '-' + ProcessHandle.current().pid(), kafka.named())
                .tier(tier);
        defaults.forEach(config::queryClass);
        return Kipimo.connect(config.build());
    }
}
