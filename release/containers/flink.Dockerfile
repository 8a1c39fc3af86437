FROM localhost/kipimo-base
RUN useradd --system --uid 9999 --home-dir /opt/flink flink
COPY --from=flink --chown=9999:9999 . /opt/flink
COPY flink-entrypoint /docker-entrypoint.sh
USER flink
ENTRYPOINT ["/docker-entrypoint.sh"]
