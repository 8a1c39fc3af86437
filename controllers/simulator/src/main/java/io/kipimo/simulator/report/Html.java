package io.kipimo.simulator.report;

import java.util.List;

/** A page that needs nothing but itself: no script, no font, no network. */
public final class Html {
    private static final String STYLE =
            """
            body{font:15px/1.45 system-ui,sans-serif;max-width:900px;margin:2em auto;padding:0 1em;\
            color:#222;background:#fff}
            table{border-collapse:collapse;font-size:13px;margin:1em 0}
            th,td{padding:.25em .7em;text-align:right;border-bottom:1px solid #ddd}
            th:first-child,td:first-child,th:nth-child(2),td:nth-child(2){text-align:left}
            svg{width:100%;height:auto;margin:.5em 0}
            svg text{font:12px system-ui,sans-serif;fill:#222}
            svg .title{font-weight:600}svg .tick{font-size:11px;fill:#555}
            svg .grid{stroke:#ddd}svg .threshold{stroke:#999;stroke-dasharray:5 4}
            svg polyline{fill:none;stroke-width:1.5}
            """;

    private final StringBuilder body = new StringBuilder();
    private final String title;

    public Html(String title) {
        this.title = title;
        body.append("<h1>").append(escape(title)).append("</h1>\n");
    }

    /** Text with what HTML would take for its own made harmless. */
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

    /**
     * Adds a table.
     *
     * @param rows titles first
     */
    public Html table(List<List<String>> rows) {
        body.append("<table>\n");
        for (int row = 0; row < rows.size(); row++) {
            String tag = row == 0 ? "th" : "td";
            body.append("<tr>");
            for (String cell : rows.get(row)) {
                body.append('<').append(tag).append('>').append(escape(cell));
                body.append("</").append(tag).append('>');
            }
            body.append("</tr>\n");
        }
        body.append("</table>\n");
        return this;
    }

    public Html plot(LinePlot plot) {
        body.append(plot.svg());
        return this;
    }

    /** The whole page. */
    public String page() {
        return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>"
                + escape(title)
                + "</title>\n<style>\n"
                + STYLE
                + "</style></head><body>\n"
                + body
                + "</body></html>\n";
    }
}
