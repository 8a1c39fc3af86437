/** Flink SQL in a JVM of its own. Read {@link io.kipimo.sql.SqlBed} first. */
package io.kipimo.sql;
