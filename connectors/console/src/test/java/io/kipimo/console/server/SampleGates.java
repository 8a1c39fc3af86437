package io.kipimo.console.server;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A gate that passes service {@code good} and knows no service {@code unknown}. */
public final class SampleGates implements Gates {
    private final List<Map<String, String>> asked = new CopyOnWriteArrayList<>();

    /** Parameters of every request. */
    public List<Map<String, String>> asked() {
        return asked;
    }

    @Override
    public ReleaseVerdict judge(Map<String, String> parameters) {
        asked.add(new TreeMap<>(parameters));
        String service = parameters.getOrDefault("service", "unknown");
        if (service.equals("unknown")) {
            throw new RequestRefusedException(400, "there is no policy for any service");
        }
        boolean isPass = service.equals("good");
        String document = "{\"verdict\":\"" + (isPass ? "PASS" : "NOT-ENOUGH") + "\"}";
        return new ReleaseVerdict(isPass, document.getBytes(StandardCharsets.UTF_8));
    }
}
