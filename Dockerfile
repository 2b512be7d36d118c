FROM node:26-slim
WORKDIR /app
COPY . .
RUN npm ci --no-audit --no-fund && npm start -- --build-only
RUN mkdir -p /data && chown node:node /data
USER node
ENV SHEAF_HOST=0.0.0.0 SHEAF_DATA_DIR=/data
VOLUME /data
EXPOSE 8180
CMD ["npm", "start"]
