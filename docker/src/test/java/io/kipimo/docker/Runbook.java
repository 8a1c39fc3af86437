package io.kipimo.docker;

import java.nio.file.Path;
import java.util.List;
import org.commonmark.Extension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** The page of the console to which alerts link, from docs/alerts.md. */
final class Runbook {
    static final Path FILE =
            Repository.ROOT.resolve("connectors/console/src/main/resources/io/kipimo/console/page/runbook.html");

    private static final List<Extension> ANCHORS = List.of(HeadingAnchorExtension.create());

    private Runbook() {}

    static String page(String markdown) {
        Node document = Parser.builder().extensions(ANCHORS).build().parse(markdown);
        document.accept(new WithoutOtherPages());
        return """
               <!doctype html>
               <html lang="en">
               <head>
               <meta charset="utf-8">
               <meta name="viewport" content="width=device-width, initial-scale=1">
               <title>Kipimo: alerts</title>
               <link rel="stylesheet" href="css/base.css">
               </head>
               <body>
               <main>
               <p><a href="/">← Console</a></p>
               """ + HtmlRenderer.builder().extensions(ANCHORS).build().render(document) + """
                  </main>
                  </body>
                  </html>
                  """;
    }

    /** Other pages of the documentation are not served, so links to them become plain text. */
    private static final class WithoutOtherPages extends AbstractVisitor {
        @Override
        public void visit(Link link) {
            if (!link.getDestination().startsWith("#")) {
                for (Node child = link.getFirstChild(); child != null; child = link.getFirstChild()) {
                    link.insertBefore(child);
                }
                link.unlink();
            }
        }
    }
}
