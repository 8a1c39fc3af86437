FROM localhost/kipimo-base
CMD ["redis-server", "--protected-mode", "no"]
