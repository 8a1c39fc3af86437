FROM localhost/kipimo-base
COPY --from=jars . /opt/kafka/libs
COPY kafka-log4j2.properties /opt/kafka/log4j2.properties
COPY kafka-run /etc/kafka/docker/run
COPY kafka-broker-api-versions.sh /opt/kafka/bin/
RUN mkdir -p /var/lib/kafka/data
CMD ["/etc/kafka/docker/run"]
