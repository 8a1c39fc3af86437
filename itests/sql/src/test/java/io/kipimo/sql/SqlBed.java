package io.kipimo.sql;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/**
 * Runs the statements of a page's section "Flink SQL", and then queries of its own.
 *
 * <p>Arguments: the page, the brokers, the topic prefix, a file for the rows, queries. The rows of the page's last
 * statement come first; a line begins with the number of its query, from 0.
 */
public final class SqlBed {
    private SqlBed() {}

    public static void main(String[] arguments) throws Exception {
        List<String> statements = statements(Path.of(arguments[0]));
        TableEnvironment env = TableEnvironment.create(EnvironmentSettings.inBatchMode());
        try (PrintWriter out =
                new PrintWriter(Files.newBufferedWriter(Path.of(arguments[3]), StandardCharsets.UTF_8))) {
            int last = statements.size() - 1;
            for (String statement : statements.subList(0, last)) {
                env.executeSql(statement.replace("broker:9092", arguments[1]).replace("'kipimo.", "'" + arguments[2]));
            }
            print(env, 0, statements.get(last), out);
            for (int i = 4; i < arguments.length; i++) {
                print(env, i - 3, arguments[i], out);
            }
        }
    }

    private static void print(TableEnvironment env, int number, String query, PrintWriter out) throws Exception {
        try (CloseableIterator<Row> rows = env.executeSql(query).collect()) {
            while (rows.hasNext()) {
                Row row = rows.next();
                StringBuilder line = new StringBuilder().append(number);
                for (int i = 0; i < row.getArity(); i++) {
                    line.append('\t').append(row.getField(i));
                }
                out.println(line);
            }
        }
    }

    private static List<String> statements(Path page) throws IOException {
        List<String> statements = new ArrayList<>();
        StringBuilder sql = new StringBuilder();
        boolean isSection = false;
        boolean isSql = false;
        for (String line : Files.readAllLines(page)) {
            if (line.startsWith("## ")) {
                isSection = line.equals("## Flink SQL");
            } else if (line.startsWith("```")) {
                isSql = isSection && line.equals("```sql");
            } else if (isSql) {
                sql.append(line.replace(";", "")).append('\n');
                if (line.endsWith(";")) {
                    statements.add(sql.toString());
                    sql.setLength(0);
                }
            }
        }
        return statements;
    }
}
