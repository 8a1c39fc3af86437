package io.kipimo.console.model;

import java.util.Collection;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A bounded map from names to values. Services choose the names, and anyone with write access to their records can
 * invent names. Names that occur only in such records have separate places, and the least recently seen one is removed
 * first. So invented names never displace real ones.
 */
final class Places<T> {
    /** Evidence that a name is real; the strongest evidence counts. */
    enum Claim {
        /** The name occurs in a record that services write. */
        NAMED,
        /** The name occurs in a record that a job writes. */
        MEASURED,
        /** The name occurs in a policy. */
        POLICY
    }

    private final int most;
    private final int mostNamed;
    private final Function<String, T> make;
    private final Map<String, T> all = new TreeMap<>();

    /** Names by evidence, least recently seen first. */
    private final Map<Claim, Set<String>> seen = new EnumMap<>(Claim.class);

    private long passedOver;

    /**
     * Makes an empty map.
     *
     * @param most most names that occur in policies or in records of jobs
     * @param mostNamed most other names
     */
    Places(int most, int mostNamed, Function<String, T> make) {
        this.most = most;
        this.mostNamed = mostNamed;
        this.make = make;
        for (Claim claim : Claim.values()) {
            seen.put(claim, new LinkedHashSet<>());
        }
    }

    /** The entry of a name, created if necessary; empty if there is no place. */
    Optional<T> claim(String name, Claim claim) {
        Claim held = held(name);
        Claim best = held == null || claim.compareTo(held) > 0 ? claim : held;
        if (best != held && !isRoom(best, held)) {
            passedOver++;
            return find(name);
        }
        if (held != null) {
            seen.get(held).remove(name);
        }
        seen.get(best).add(name);
        return Optional.of(all.computeIfAbsent(name, make));
    }

    /** Makes room for a name by removing another if necessary; returns whether there is a place. */
    private boolean isRoom(Claim claim, Claim held) {
        if (claim == Claim.NAMED) {
            return seen.get(Claim.NAMED).size() < mostNamed || dropFirst(Claim.NAMED);
        }
        int real = seen.get(Claim.MEASURED).size() + seen.get(Claim.POLICY).size();
        return held == Claim.MEASURED || real < most || dropFirst(Claim.MEASURED);
    }

    private boolean dropFirst(Claim claim) {
        Iterator<String> first = seen.get(claim).iterator();
        if (!first.hasNext()) {
            return false;
        }
        all.remove(first.next());
        first.remove();
        passedOver++;
        return true;
    }

    private Claim held(String name) {
        for (Claim claim : Claim.values()) {
            if (seen.get(claim).contains(name)) {
                return claim;
            }
        }
        return null;
    }

    /** Records that the name no longer occurs in a policy. */
    void disclaim(String name) {
        if (seen.get(Claim.POLICY).remove(name)) {
            seen.get(Claim.MEASURED).add(name);
        }
    }

    Optional<T> find(String name) {
        return Optional.ofNullable(all.get(name));
    }

    /** Entries in order of names. */
    Collection<T> all() {
        return all.values();
    }

    /** Number of times that a name got no place or lost it. */
    long passedOver() {
        return passedOver;
    }
}
