# An image with the released binary and nothing else:
#
#   make release VERSION=v1.2.3
#   docker build --build-arg VERSION=v1.2.3 --tag fleetgate .
#   docker run --rm --volume "$PWD:/repo:ro" fleetgate check --base main
#
# The binary comes from dist/, so that the image has the bytes whose sum
# release/sums.txt pins, and its build needs neither a base image nor a network.
# It holds no git, which `demo`, `hook install` and whatever fetches (`action`,
# `audit --clone`) run; everything else reads the repository itself. Nor does it
# hold certificates, which only what asks GitHub's API needs (`repos`,
# `audit --issue`): mount the host's at /etc/ssl/certs.
FROM scratch
ARG VERSION
ARG TARGETOS=linux
ARG TARGETARCH=amd64
COPY --chmod=0555 dist/fleetgate-${VERSION}-${TARGETOS}-${TARGETARCH} /fleetgate
LABEL org.opencontainers.image.title="fleetgate" \
      org.opencontainers.image.source="https://github.com/fleetgate/fleetgate" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}"
# Who owns the repository doesn't matter to the gate, so no user has to be made.
USER 65532:65532
WORKDIR /repo
ENTRYPOINT ["/fleetgate"]
