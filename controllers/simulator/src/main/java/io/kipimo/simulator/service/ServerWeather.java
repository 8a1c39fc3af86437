package io.kipimo.simulator.service;

import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.engine.Handler;
import io.kipimo.simulator.engine.RandomStream;
import io.kipimo.simulator.engine.Times;
import io.kipimo.simulator.faults.ServerFault;
import java.util.List;

/** Applies interference by neighbours, and faults, to one server. Its speed is the product of all their factors. */
final class ServerWeather {
    private final Engine engine;
    private final Server server;
    private int episodes;
    private double interferenceSpeed = 1;
    private double faultSpeed = 1;

    private ServerWeather(Engine engine, Server server) {
        this.engine = engine;
        this.server = server;
    }

    /** Schedules all interference and all faults. */
    static void start(Engine engine, ServiceSpec spec, List<SimulatedTier> tiers, long seed) {
        for (SimulatedTier tier : tiers) {
            for (int p = 0; p < tier.groups.length; p++) {
                for (Server server : tier.groups[p].servers) {
                    ServerWeather weather = new ServerWeather(engine, server);
                    int partition = p;
                    tier.spec
                            .interference()
                            .ifPresent(i -> weather.interfere(
                                    i,
                                    RandomStream.of(
                                            seed,
                                            "interference/"
                                                    + tier.spec.name()
                                                    + '/'
                                                    + partition
                                                    + '/'
                                                    + server.index)));
                    spec.faults().servers().stream()
                            .filter(f -> f.tier().equals(tier.spec.name()))
                            .filter(f -> f.partition() == partition && f.server() == server.index)
                            .forEach(weather::schedule);
                }
            }
        }
    }

    private void interfere(TierSpec.Disturbance interference, RandomStream random) {
        Handler end = n -> {
            episodes--;
            interferenceSpeed = episodes == 0 ? 1 : interference.speed();
            apply();
        };
        Handler begin = new Handler() {
            @Override
            public void fire(long argument) {
                episodes++;
                interferenceSpeed = interference.speed();
                apply();
                after(random.nextExponential() * interference.meanLengthSeconds(), end);
                after(random.nextExponential() * interference.meanIntervalSeconds(), this);
            }
        };
        after(random.nextExponential() * interference.meanIntervalSeconds(), begin);
    }

    private void schedule(ServerFault fault) {
        switch (fault.kind()) {
            case SLOW -> {
                at(fault.fromSeconds(), n -> slow(fault.speed()));
                at(fault.untilSeconds(), n -> slow(1));
            }
            case DEAD -> {
                at(fault.fromSeconds(), n -> server.kill());
                at(fault.untilSeconds(), n -> server.revive());
            }
            case FLAPPING -> {
                double half = fault.periodSeconds() / 2;
                double from = fault.fromSeconds();
                while (from < fault.untilSeconds()) {
                    at(from, n -> server.kill());
                    at(Math.min(from + half, fault.untilSeconds()), n -> server.revive());
                    from += 2 * half;
                }
            }
        }
    }

    private void slow(double speed) {
        faultSpeed = speed;
        apply();
    }

    private void apply() {
        server.setSpeed(interferenceSpeed * faultSpeed);
    }

    private void after(double seconds, Handler handler) {
        engine.schedule(engine.nowNanos() + Times.nanos(seconds), handler, 0);
    }

    private void at(double seconds, Handler handler) {
        engine.schedule(Math.max(engine.nowNanos(), Times.nanos(seconds)), handler, 0);
    }
}
