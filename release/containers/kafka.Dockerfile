FROM localhost/kipimo-base
COPY --from=jars . /opt/kafka/libs
COPY kafka-entrypoint /entrypoint
COPY kafka-broker-api-versions.sh /opt/kafka/bin/
RUN mkdir -p /var/lib/kafka/data
ENTRYPOINT ["/entrypoint"]
