package io.kipimo.simulator.report;

import java.util.List;

/** A self-contained page: no script, no font, no network. */
public final class Html {
    /** Length of the longest figure. A column with a longer cell has words, which wrap. */
    private static final int MOST_FIGURE = 30;

    private static final String STYLE = """
            :root{color-scheme:light dark;--ink:#222;--soft:#555;--line:#ddd;--paper:#fff}
            @media(prefers-color-scheme:dark){\
            :root{--ink:#ddd;--soft:#aaa;--line:#3a3d42;--paper:#16181c}}
            body{font:15px/1.45 system-ui,sans-serif;max-width:900px;margin:2em auto;padding:0 1em;\
            color:var(--ink);background:var(--paper)}
            table{border-collapse:collapse;font-size:13px;margin:1em 0;display:block;overflow-x:auto}
            th,td{padding:.25em .7em;text-align:right;white-space:nowrap;border-bottom:1px solid var(--line)}
            th:first-child,td:first-child,th:nth-child(2),td:nth-child(2){text-align:left}
            th.words,td.words{text-align:left;white-space:normal;min-width:18em}
            svg{width:100%;height:auto;margin:.5em 0}
            svg text{font:12px system-ui,sans-serif;fill:var(--ink)}
            svg .title{font-weight:600}svg .tick{font-size:11px;fill:var(--soft)}
            svg .grid{stroke:var(--line)}svg .threshold{stroke:#999;stroke-dasharray:5 4}
            svg polyline{fill:none;stroke-width:1.5}
            """;

    private final StringBuilder body = new StringBuilder();
    private final String title;

    public Html(String title) {
        this.title = title;
        body.append("<h1>").append(escape(title)).append("</h1>\n");
    }

    /** Escapes text for HTML. */
    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    public Html paragraph(String text) {
        body.append("<p>").append(escape(text)).append("</p>\n");
        return this;
    }

    /** Returns for each column whether it has words. */
    private static boolean[] words(List<List<String>> rows) {
        boolean[] words = new boolean[rows.stream().mapToInt(List::size).max().orElse(0)];
        for (List<String> row : rows) {
            for (int column = 0; column < row.size(); column++) {
                words[column] |= row.get(column).length() > MOST_FIGURE;
            }
        }
        return words;
    }

    /**
     * Adds a table.
     *
     * @param rows rows of cells; the first row has the titles
     */
    public Html table(List<List<String>> rows) {
        boolean[] words = words(rows);
        body.append("<table>\n");
        for (int row = 0; row < rows.size(); row++) {
            String tag = row == 0 ? "th" : "td";
            body.append("<tr>");
            for (int column = 0; column < rows.get(row).size(); column++) {
                body.append('<').append(tag).append(words[column] ? " class=\"words\">" : ">");
                body.append(escape(rows.get(row).get(column)));
                body.append("</").append(tag).append('>');
            }
            body.append("</tr>\n");
        }
        body.append("</table>\n");
        return this;
    }

    public Html heading(String text) {
        body.append("<h2>").append(escape(text)).append("</h2>\n");
        return this;
    }

    public Html list(List<String> sentences) {
        body.append("<ul>");
        sentences.forEach(
                sentence -> body.append("<li>").append(escape(sentence)).append("</li>\n"));
        body.append("</ul>\n");
        return this;
    }

    /** Adds an element {@code svg}; its text must be escaped. */
    public Html drawing(String svg) {
        body.append(svg);
        return this;
    }

    public Html plot(Plot plot) {
        body.append(plot.svg());
        return this;
    }

    /** Returns an SVG file with the plots one below the other. */
    public static String drawing(List<? extends Plot> plots) {
        StringBuilder svg = new StringBuilder();
        int y = 0;
        for (Plot plot : plots) {
            svg.append(plot.svg().replaceFirst("<svg ", "<svg y=\"" + y + "\" height=\"" + plot.height() + "\" "));
            y += plot.height();
        }
        return Phrase.of(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">%n<style>%n%s</style>%n"
                        + "<rect width=\"100%%\" height=\"100%%\" style=\"fill:var(--paper)\"/>%n%s</svg>%n",
                Plot.WIDTH, y, STYLE, svg);
    }

    /** The beginning of a plot, with its title. */
    static String head(Plot plot, String title) {
        return Phrase.of(
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\"><text x=\"52\" y=\"16\" class=\"title\">%3$s</text>",
                Plot.WIDTH, plot.height(), escape(title));
    }

    /** Returns the whole HTML page. */
    public String page() {
        return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width\">\n<title>"
                + escape(title)
                + "</title>\n<style>\n"
                + STYLE
                + "</style></head><body>\n"
                + body
                + "</body></html>\n";
    }
}
