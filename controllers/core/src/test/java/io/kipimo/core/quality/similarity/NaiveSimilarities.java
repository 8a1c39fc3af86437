package io.kipimo.core.quality.similarity;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The similarity functions for small inputs, directly from their definitions, with sets and lists. */
final class NaiveSimilarities {
    private NaiveSimilarities() {}

    static double of(String name, double parameter, List<Long> online, List<Long> mature) {
        if (mature.isEmpty()) {
            return 1;
        }
        if (online.isEmpty()) {
            return 0;
        }
        if (name.equals("rbo")) {
            return rbo(online, mature, parameter);
        }
        int k = (int) parameter;
        List<Long> o = online.subList(0, Math.min(k, online.size()));
        List<Long> m = mature.subList(0, Math.min(k, mature.size()));
        return switch (name) {
            case "tpr" -> intersection(o, m) / m.size();
            case "precision" -> intersection(o, m) / o.size();
            case "jaccard" -> intersection(o, m) / new HashSet<>(concat(o, m)).size();
            case "weighted" -> weights(m.stream().filter(o::contains), m) / weights(m.stream(), m);
            case "ndcg" -> dcg(o, m, k, false) / dcg(m, m, k, false);
            case "ndcg_exp" -> dcg(o, m, k, true) / dcg(m, m, k, true);
            case "ap" -> averagePrecision(o, m);
            case "kendall" ->
                1 - kendall(o, m) / kendall(o, m.stream().map(i -> -1 - i).toList());
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static double weights(Stream<Long> items, List<Long> mature) {
        return items.mapToDouble(item -> 1.0 / (mature.indexOf(item) + 1)).sum();
    }

    private static double averagePrecision(List<Long> online, List<Long> mature) {
        double sum = 0;
        for (int i = 0; i < online.size(); i++) {
            if (mature.contains(online.get(i))) {
                sum += intersection(online.subList(0, i + 1), mature) / (i + 1);
            }
        }
        return sum / mature.size();
    }

    private static double intersection(List<Long> a, List<Long> b) {
        Set<Long> both = new HashSet<>(a);
        both.retainAll(b);
        return both.size();
    }

    private static double dcg(List<Long> list, List<Long> mature, int k, boolean exponential) {
        double sum = 0;
        for (int i = 0; i < list.size(); i++) {
            int r = mature.indexOf(list.get(i)) + 1;
            double relevance = r == 0 ? 0 : k - r + 1;
            double gain = exponential ? Math.pow(2, relevance) - 1 : relevance;
            sum += gain / (Math.log(i + 2) / Math.log(2));
        }
        return sum;
    }

    /** Fagin, Kumar and Sivakumar, K with p = 1/2: their four cases, pair by pair. */
    private static double kendall(List<Long> a, List<Long> b) {
        List<Long> union = new ArrayList<>(new LinkedHashSet<>(concat(a, b)));
        double distance = 0;
        for (int x = 0; x < union.size(); x++) {
            for (int y = x + 1; y < union.size(); y++) {
                int ai = a.indexOf(union.get(x));
                int aj = a.indexOf(union.get(y));
                int bi = b.indexOf(union.get(x));
                int bj = b.indexOf(union.get(y));
                boolean ordersKnown = (ai >= 0 || aj >= 0) && (bi >= 0 || bj >= 0);
                if (!ordersKnown) {
                    distance += 0.5;
                } else if (isBefore(ai, aj) != isBefore(bi, bj)) {
                    distance += 1;
                }
            }
        }
        return distance;
    }

    private static boolean isBefore(int i, int j) {
        return j < 0 || (i >= 0 && i < j);
    }

    private static List<Long> concat(List<Long> a, List<Long> b) {
        List<Long> all = new ArrayList<>(a);
        all.addAll(b);
        return all;
    }

    /** Webber, Moffat and Zobel, eq. 32, term by term. */
    private static double rbo(List<Long> a, List<Long> b, double p) {
        List<Long> shorter = a.size() <= b.size() ? a : b;
        List<Long> longer = a.size() <= b.size() ? b : a;
        int s = shorter.size();
        int l = longer.size();
        double[] x = new double[l + 1];
        for (int d = 1; d <= l; d++) {
            x[d] = intersection(shorter.subList(0, Math.min(d, s)), longer.subList(0, d));
        }
        double first = 0;
        for (int d = 1; d <= l; d++) {
            first += x[d] / d * Math.pow(p, d);
        }
        double second = 0;
        for (int d = s + 1; d <= l; d++) {
            second += x[s] * (d - s) / ((double) s * d) * Math.pow(p, d);
        }
        return (1 - p) / p * (first + second) + ((x[l] - x[s]) / l + x[s] / s) * Math.pow(p, l);
    }
}
