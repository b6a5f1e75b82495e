# Liminal Builder in a container. docs/docker.md says how to run it.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN mkdir /package && npm pack --pack-destination /package

FROM node:24-bookworm-slim
# git for changes and worktrees, ripgrep for search, ssh for remotes; tini adopts what agents leave behind.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates git openssh-client ripgrep tini \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /package /package
# The image has the Node it needs, so the prebuilt ones stay out.
RUN npm install --global --omit=optional --ignore-scripts /package/*.tgz \
  && rm -rf /package /root/.npm \
  && mkdir /data /projects \
  && chown node:node /data /projects
USER node
ENV LIMINAL_DATA_DIR=/data
VOLUME ["/data", "/projects"]
WORKDIR /projects
EXPOSE 4747
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4747/api/health').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "liminal"]
CMD ["start", "--host", "0.0.0.0", "--no-open"]
