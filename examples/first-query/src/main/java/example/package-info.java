/** A program that reports one query; a start for a service of your own. */
package example;
