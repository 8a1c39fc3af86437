package io.kipimo.console.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Synthetic figures in the form of the console's JSON, for tests of the page with any number of services. */
public final class SampleContent implements Content {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int POINTS = 360;
    private static final long STEP_MILLIS = 10_000;
    private static final List<String> DETAILS =
            List.of("history", "decisions", "deadline", "completeness", "components");

    private final int services;
    private final LongSupplier clock;
    private final AtomicLong version = new AtomicLong();
    private volatile boolean connected = true;
    private volatile boolean writable = true;

    public SampleContent(int services, LongSupplier clock) {
        this.services = services;
        this.clock = clock;
    }

    public void connected(boolean yes) {
        connected = yes;
        version.incrementAndGet();
    }

    public void writable(boolean yes) {
        writable = yes;
        version.incrementAndGet();
    }

    /** Simulates the arrival of new records. */
    public void changed() {
        version.incrementAndGet();
    }

    @Override
    public long version() {
        return version.get();
    }

    @Override
    public byte[] queries(Optional<String> service, Optional<String> queryClass, int limit) {
        ObjectNode tree = JSON.createObjectNode();
        tree.putArray("queries");
        return bytes(tree.put("asked", service + " " + queryClass + " " + limit));
    }

    @Override
    public String metrics() {
        return "";
    }

    @Override
    public byte[] state() {
        return bytes(tree(true));
    }

    @Override
    public byte[] summary() {
        return bytes(tree(false));
    }

    @Override
    public Optional<byte[]> service(String name) {
        for (int i = 0; i < services; i++) {
            if (name(i).equals(name)) {
                return Optional.of(bytes(service(i, true)));
            }
        }
        return Optional.empty();
    }

    private static String name(int i) {
        return i == 0 ? "search" : "service-" + i;
    }

    private ObjectNode tree(boolean full) {
        long now = clock.getAsLong();
        ObjectNode root = JSON.createObjectNode();
        root.put("nowMillis", now);
        ObjectNode health = root.putObject("health");
        health.put("broker", connected ? "connected" : "away");
        health.put("brokerSinceMillis", now - 600_000);
        health.put("lastRecordMillis", now - 400);
        health.put("unreadable", 0);
        ObjectNode letters = health.putObject("deadLetters");
        letters.put("count", 2);
        ArrayNode last = letters.putArray("last");
        for (int i = 0; i < 2; i++) {
            ObjectNode letter = last.addObject();
            letter.put("topic", "kipimo.answers");
            letter.put("partition", i);
            letter.put("offset", 4711 + i);
            letter.put("reason", "IMPOSSIBLE_NUMBER");
            letter.put("detail", "latency_micros is -3; allowed: 0..86400000000");
            letter.put("atMillis", now - 60_000L * (i + 1));
        }
        root.put("writable", writable);
        ArrayNode array = root.putArray("services");
        for (int i = 0; i < services; i++) {
            array.add(service(i, full));
        }
        return root;
    }

    private ObjectNode service(int i, boolean full) {
        long now = clock.getAsLong();
        ObjectNode service = JSON.createObjectNode();
        service.put("name", name(i));
        ObjectNode policy = service.putObject("policy");
        policy.put("version", 7);
        policy.put("killSwitch", i == 9);
        policy.put("shadow", i == 8);
        policy.put("signal", "QUALITY");
        policy.put("controller", "PID");
        policy.putArray("metrics").add("tpr@10").add("ndcg@10");
        policy.put("windowMillis", 600_000);
        policy.put("expirationWindowMillis", 10_000);
        ArrayNode classes = service.putArray("classes");
        for (int c = 0; c < 2; c++) {
            ObjectNode one = queryClass(i, c, now);
            if (!full) {
                ArrayNode spark = one.putArray("spark");
                for (int p = POINTS - 40; p < POINTS; p++) {
                    spark.add(quality(i, c, p));
                }
                one.remove(DETAILS);
            }
            classes.add(one);
        }
        ObjectNode sampling = service.putObject("sampling");
        sampling.put("rate", 0.02);
        sampling.put("decidedAtMillis", now - 4_000);
        sampling.put("reason", "INTERVAL_NARROW_ENOUGH");
        sampling.put("mode", "ACTIVE");
        sampling.put("validUntilMillis", now + 56_000);
        service.put("deadlineMillis", 30);
        return service;
    }

    private ObjectNode queryClass(int i, int c, long now) {
        boolean wrong = c == 0 && i % 7 == 0;
        boolean unknown = i % 11 == 5;
        boolean idle = i % 13 == 6;
        ObjectNode one = JSON.createObjectNode();
        one.put("name", c == 0 ? "high" : "low");
        one.put("priority", c);
        one.put("objective", 0.9);
        if (c == 1 && i % 17 == 3) {
            ObjectNode override = one.putObject("override");
            override.put("fraction", 0.5);
            override.put("untilMillis", now + 900_000);
            override.put("by", "ann");
            override.put("reason", "sale");
        } else {
            one.putNull("override");
        }
        one.put("status", idle ? "idle" : unknown ? "unknown" : wrong ? "wrong" : "fine");
        one.put("statusSinceMillis", now - 240_000);
        one.put(
                "statusReason",
                wrong
                        ? "Quality is 0.841 (0.828..0.853), below its objective 0.900 for 4 min; shard-2 costs most,"
                                + " 0.081 a query. Kipimo cut low from 0.60 to 0.45 8 s ago: quality is below its"
                                + " objective, less is admitted."
                        : "Quality is 0.951 (0.942..0.959), objective 0.900.");
        if (idle) {
            one.putNull("now");
        } else {
            ObjectNode figures = one.putObject("now");
            figures.put("endMillis", now - 3_000);
            if (unknown) {
                figures.putNull("low").putNull("mean").putNull("high");
            } else {
                double mean = quality(i, c, POINTS - 1);
                figures.put("low", mean - 0.012).put("mean", mean).put("high", mean + 0.012);
            }
            figures.put("offered", 320.5).put("rejected", c * 96.2);
            figures.put("answered", 224.3).put("timedOut", 18.1);
            figures.put("samples", 2690).put("degradedSamples", 217);
            figures.put("expired", 12).put("orphans", 1).put("expiredShare", 12 / 2690.0);
            figures.put("plainMean", 0.949).put("p5", 0.7).put("p50", 1.0);
            figures.put("belowObjective", 0.11).put("failedMature", 0.04);
            figures.put("maturePer100", 7.7);
            ObjectNode bill = figures.putObject("bill");
            bill.put("lateResults", 260).put("lateWorkMicros", 5_100_000);
            bill.put("answerWorkMicros", 204_000_000);
            bill.put("emittedBytes", 1_900_000).put("droppedEvents", 0);
        }
        ObjectNode admission = one.putObject("admission");
        admission.put("value", c == 0 ? 1.0 : 0.45).put("previous", c == 0 ? 1.0 : 0.6);
        admission.put("mode", "ACTIVE").put("reason", c == 0 ? "PROTECTED" : "SHUT");
        admission.put(
                "reasonText",
                c == 0 ? "The highest class is never shed." : "Quality is below its objective: less is admitted.");
        admission.put("issuedAtMillis", now - 8_000).put("validUntilMillis", now + 52_000);
        admission.put("epoch", 12).put("sequence", 841);
        admission.put("measured", 0.841).put("low", 0.828).put("high", 0.853);
        admission.put("objective", 0.9).put("samples", 214);
        ArrayNode components = one.putArray("components");
        for (int k = 0; k < 4; k++) {
            ObjectNode component = components.addObject();
            component.put("name", "shard-" + k).put("invoked", 134_000);
            component.put("timedOut", k == 2 ? 9_400 : 600);
            component.put("timeOutShare", k == 2 ? 0.07 : 0.0045);
            component.put("lostQuality", k == 2 ? 0.081 : 0.004);
            ObjectNode latency = component.putObject("latencyMillis");
            latency.put("p50", 4.1 + k).put("p95", 14.5 + 4 * k).put("p99", 28.9 + 9 * k);
        }
        history(one.putObject("history"), i, c, now);
        ArrayNode decisions = one.putArray("decisions");
        for (int k = 0; k < 20; k++) {
            ObjectNode decision = decisions.addObject();
            boolean shut = k % 3 != 1;
            decision.put("atMillis", now - 8_000 - 30_000L * k);
            decision.put("value", 0.45 + 0.02 * k).put("previous", 0.45 + 0.02 * (k + 1));
            decision.put("mode", shut ? "ACTIVE" : "HOLD");
            decision.put("reason", shut ? "SHUT" : "HELD_AWAITING_EFFECT");
            decision.put(
                    "reasonText",
                    shut
                            ? "Quality is below its objective: less is admitted."
                            : "The newest step began before the last move, so it cannot show the"
                                    + " effect of the move.");
        }
        deadline(one.putObject("deadline"), now);
        ObjectNode budget = one.putObject("budget");
        budget.put("verdict", wrong ? "FAST_BURN" : "FINE").put("remaining", wrong ? 0.31 : 0.86);
        budget.put("coveredMillis", 86_400_000L * 9).put("periodMillis", 86_400_000L * 28);
        burn(budget.putObject("short"), 300_000, wrong ? 16.2 : 0.5);
        burn(budget.putObject("long"), 3_600_000, wrong ? 15.1 : 0.4);
        ArrayNode causes = budget.putArray("causes");
        causes.addObject().put("component", "shard-2").put("share", 0.84);
        causes.addObject().put("component", "shard-0").put("share", 0.16);
        ObjectNode completeness = one.putObject("completeness");
        completeness.put("queries", 41_000).put("usualLoss", 0.21);
        ArrayNode losses = completeness.putArray("losses");
        ArrayNode calibration = completeness.putArray("calibration");
        for (int k = 0; k < 4; k++) {
            losses.addObject().put("component", "shard-" + k).put("loss", 0.2 + 0.03 * k);
            ((ObjectNode) losses.get(k)).put("queries", 9_000 + k);
        }
        for (int k = 0; k < 10; k++) {
            ObjectNode bin = calibration.addObject();
            bin.put("from", k / 10.0).put("to", (k + 1) / 10.0).put("queries", k < 3 ? 0 : 900);
            bin.put("meanPredicted", k < 3 ? 0 : k / 10.0 + 0.05);
            bin.put("meanMeasured", k < 3 ? 0 : k / 10.0 + 0.04);
        }
        return one;
    }

    private static double quality(int i, int c, int point) {
        double level = c == 0 && i % 7 == 0 && point > POINTS - 24 ? 0.84 : 0.95;
        return level + 0.015 * Math.sin((point + 13.0 * i) / 17);
    }

    private static void history(ObjectNode history, int i, int c, long now) {
        ArrayNode end = history.putArray("endMillis");
        ArrayNode mean = history.putArray("mean");
        ArrayNode low = history.putArray("low");
        ArrayNode high = history.putArray("high");
        ArrayNode timeOutShare = history.putArray("timeOutShare");
        ArrayNode admitted = history.putArray("admitted");
        ArrayNode answered = history.putArray("answeredPerSecond");
        ArrayNode expired = history.putArray("expiredShare");
        long last = now - now % STEP_MILLIS;
        for (int p = 0; p < POINTS; p++) {
            end.add(last - STEP_MILLIS * (POINTS - 1 - p));
            if (p >= 100 && p < 110) {
                mean.addNull();
                low.addNull();
                high.addNull();
            } else {
                double q = quality(i, c, p);
                mean.add(q);
                low.add(q - 0.012);
                high.add(q + 0.012);
            }
            timeOutShare.add(0.08 + 0.03 * Math.sin(p / 23.0));
            admitted.add(c == 0 ? 1 : p > POINTS - 20 ? 0.45 : 0.8);
            answered.add(224 + 30 * Math.sin(p / 40.0));
            expired.add(0.004);
        }
    }

    private static void deadline(ObjectNode deadline, long now) {
        deadline.put("deadlineMillis", 30).put("endMillis", now - 20_000).put("profiles", 4_200);
        ArrayNode points = deadline.putArray("points");
        for (int d = 5; d <= 100; d += 5) {
            double mean = 1 - 0.6 * Math.exp(-d / 14.0);
            ObjectNode point = points.addObject();
            point.put("deadlineMillis", d).put("low", mean - 0.01).put("mean", mean);
            point.put("high", Math.min(1, mean + 0.01)).put("complete", Math.min(1, d / 80.0));
        }
        ArrayNode components = deadline.putArray("components");
        for (int k = 0; k < 4; k++) {
            ObjectNode component = components.addObject();
            component.put("component", "shard-" + k).put("invoked", 4_200);
            component.put("late", k == 2 ? 290 : 20).put("lostQuality", k == 2 ? 0.081 : 0.004);
            component.put("lostQualityPerLateMinute", k == 2 ? 2.1 : 0.3);
            component.put("qualityIfFaster", k == 2 ? 0.93 : 0.86);
            component.put("qualityIfReplicated", k == 2 ? 0.94 : 0.86);
            component.put("qualityIfDropped", 0.71);
        }
    }

    private static void burn(ObjectNode burn, long windowMillis, double rate) {
        burn.put("windowMillis", windowMillis).put("low", rate * 0.9).put("rate", rate);
        burn.put("high", rate * 1.1).put("samples", 900);
    }

    private static byte[] bytes(ObjectNode tree) {
        try {
            return JSON.writeValueAsBytes(tree);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
