# The service with its default model, for `docker build`, `podman build` and docker-compose.yml.

FROM docker.io/library/swift:6.3-bookworm AS build
WORKDIR /src

# Dependencies before sources: this layer stays as long as the pins and scripts that it is made from.
COPY scripts/setup scripts/debian-packages.txt scripts/export_model.py \
    scripts/requirements-openvino.txt scripts/requirements-export.txt scripts/requirements-model.txt scripts/
COPY config/models config/models
RUN scripts/setup

# SwiftPM reads the package only when the folders of all its targets are there, tests too.
COPY Package.swift ./
COPY Sources Sources
COPY Tests Tests
RUN swift build -c release --static-swift-stdlib --product embedd \
    && mv .build/release/embedd /usr/local/bin/ && rm -rf .build


FROM docker.io/library/debian:bookworm-slim

LABEL org.opencontainers.image.title="embedd" \
    org.opencontainers.image.description="Turns images into embedding vectors over HTTP"

# The shared libraries of the binary. libvips brings the decoders of all formats but JPEG.
RUN apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
        libjpeg62-turbo libsqlite3-0 libssl3 libstdc++6 libvips42 libwebp7 \
    && rm -rf /var/lib/apt/lists/* /var/cache/debconf/* /var/log/*

# The user owns nothing but the folder of compiled models. It is no VOLUME, which would leave an anonymous volume behind
# for every container: with a read-only root file system, mount something there.
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin embedd \
    && install -d -o embedd -g embedd /var/cache/embedd

# What changes least comes first.
COPY --from=build /src/.deps/openvino/lib/ /usr/local/lib/embedd/
COPY --from=build /src/.deps/models/ /usr/local/share/embedd/models/
COPY --from=build /usr/local/bin/embedd /usr/local/bin/

# As a number, so that Kubernetes can tell that it is not root.
USER 10001:10001
# Stops the build here if a shared library is missing.
RUN ["embedd", "version"]

ENV EMBEDD_SERVER_HOST=0.0.0.0 \
    EMBEDD_INFERENCE_CACHE_PATH=/var/cache/embedd
EXPOSE 8080
# The image has no curl: the service asks itself.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["embedd", "health"]

# In exec form, so that SIGTERM reaches the service and not a shell.
ENTRYPOINT ["embedd"]
CMD ["serve"]
