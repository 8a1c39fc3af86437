package io.kipimo.console.server;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records all changes. */
public final class SampleWrites implements Writes {
    private final List<String> taken = new CopyOnWriteArrayList<>();

    /** One line per change. */
    public List<String> taken() {
        return taken;
    }

    @Override
    public long override(String service, String queryClass, Optional<OverrideRequest> override) {
        if (!service.equals("search")) {
            throw new RequestRefusedException(404, "no policy of service '" + service + "'");
        }
        taken.add(service
                + "/"
                + queryClass
                + override.map(o ->
                                " to " + o.fraction() + " for " + o.forMillis() + " by " + o.by() + ": " + o.reason())
                        .orElse(" cleared"));
        return 7L + taken.size();
    }

    @Override
    public long killSwitch(String service, boolean on, String by, String reason) {
        taken.add(service + " kill switch " + (on ? "on" : "off") + " by " + by + ": " + reason);
        return 7L + taken.size();
    }
}
