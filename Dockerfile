FROM python:3.13.9-slim-bookworm

# Pango draws everything that is printed. The rest comes as wheels.
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core \
    && rm -rf /var/lib/apt/lists/*

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    ROMME_MODE=server \
    DATA_DIR=/data \
    CALLED_BY="docker compose exec web python -m romme_site"

WORKDIR /app

# Before the program itself, so that a change in it does not install everything anew.
COPY requirements.txt ./
RUN pip install --no-cache-dir --require-hashes --only-binary=:all: -r requirements.txt

COPY . .

# The program's own account owns what it writes and nothing else. The static files are
# collected once more at start if the volume still holds those of an earlier version.
RUN useradd --system --uid 10001 --home-dir /data --create-home romme \
    && chmod 750 /data
USER romme
RUN ROMME_MODE=laptop SECRET_KEY=only-for-this-step python -m romme_site --collect-only

EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-m", "romme_site", "healthcheck"]
CMD ["python", "-m", "romme_site"]
