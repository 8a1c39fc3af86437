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
 * A bounded number of things by name. Services choose the names, and so may anybody who can write
 * what services write: names that nothing but such records knows have places of their own, of which
 * the least recently seen goes first, so that however many are invented, none takes a real one's.
 */
final class Places<T> {
    /** What speaks for a name being real; the best that was seen of it counts. */
    enum Claim {
        /** A record that services write names it. */
        NAMED,
        /** A job has written about it. */
        MEASURED,
        /** A policy names it. */
        POLICY
    }

    private final int most;
    private final int mostNamed;
    private final Function<String, T> make;
    private final Map<String, T> all = new TreeMap<>();

    /** Names by claim, the least recently seen first. */
    private final Map<Claim, Set<String>> seen = new EnumMap<>(Claim.class);

    private long passedOver;

    /**
     * @param most places of those that were measured or are a policy's
     * @param mostNamed places of the others
     */
    Places(int most, int mostNamed, Function<String, T> make) {
        this.most = most;
        this.mostNamed = mostNamed;
        this.make = make;
        for (Claim claim : Claim.values()) {
            seen.put(claim, new LinkedHashSet<>());
        }
    }

    /** The one of that name, new if there was none; empty if there is no place for it. */
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

    /** Whether there is one now; another may have lost it. */
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

    /** No policy names it any more. */
    void disclaim(String name) {
        if (seen.get(Claim.POLICY).remove(name)) {
            seen.get(Claim.MEASURED).add(name);
        }
    }

    Optional<T> find(String name) {
        return Optional.ofNullable(all.get(name));
    }

    /** By name. */
    Collection<T> all() {
        return all.values();
    }

    /** How often one had no place or lost it. */
    long passedOver() {
        return passedOver;
    }
}
