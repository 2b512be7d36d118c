# Builds Sheaf and leaves only what it needs to run. docs/operating.md tells how to run it.

FROM node:26-slim AS build
WORKDIR /app
COPY . .
RUN npm ci --no-audit --no-fund && npm start -- --build-only

# The packages that are not part of the bundle; without those that only build and test.
FROM node:26-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/contract/package.json packages/contract/
COPY packages/connectors/package.json packages/connectors/
COPY apps/server/package.json apps/server/
RUN npm ci --omit=dev --workspace @sheaf/server --include-workspace-root=false --no-audit --no-fund

FROM node:26-slim
WORKDIR /app
COPY deploy/container/sheaf-admin /usr/local/bin/sheaf-admin
RUN mkdir /data && chown node:node /data
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/apps/server/package.json apps/server/package.json
COPY --from=build /app/apps/server/dist apps/server/dist
COPY --from=build /app/apps/web/dist apps/web/dist
COPY --from=build /app/apps/cli/dist apps/cli/dist
USER node
ENV NODE_ENV=production SHEAF_HOST=0.0.0.0 SHEAF_DATA_DIR=/data
VOLUME /data
EXPOSE 8180
# readyz asks the database; what it says goes into `docker inspect`.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.SHEAF_PORT || 8180}/readyz`).then(async (r) => { console.log(await r.text()); process.exit(r.ok ? 0 : 1) }, (e) => { console.log(String(e)); process.exit(1) })"]
CMD ["node", "--max-semi-space-size=4", "apps/server/dist/main.js"]
