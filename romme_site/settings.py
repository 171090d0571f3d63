"""The settings of Django. Values that differ between machines come from ``env``."""

from __future__ import annotations

from csp.constants import NONE, SELF

from romme_site import env, paths

BASE_DIR = env.BASE_DIR
DATA_DIR = env.DATA_DIR
VERSION = paths.VERSION
PROGRAM = paths.PROGRAM
TYPED = paths.command_to_type  # a function of a command, such as „restore“, and its options
DEBUG = env.DEBUG
SECRET_KEY = env.secret_key()
INSTALLATION_KEY = env.installation_key  # a function: the key is read when it is needed
ALLOWED_HOSTS = env.allowed_hosts()
PUBLIC_URL = env.PUBLIC_URL
CERTIFICATE_ENDS = env.certificate_ends()
IS_IN_THE_HALL = not env.IS_SERVER  # every device that reaches the program is in the hall
SECURITY_CONTACT = env.SECURITY_CONTACT
HAS_EMAIL = env.HAS_EMAIL
WORKS_HERE = env.WORKS_HERE  # runs jobs; otherwise only „romme-turnier worker“ does
SAVES_ITSELF = env.SAVES_ITSELF  # makes backups; otherwise the database has its own
METRICS_KEY = env.METRICS_KEY

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "romme_site.static_app.StaticFiles",
    "django_htmx",
    "template_partials",
    "csp",
    "axes",
    "scoring",
    "tournaments",
]

MIDDLEWARE = [
    *(["romme_site.metrics.MetricsMiddleware"] if METRICS_KEY else []),
    *(["romme_site.probes.ProbeMiddleware"] if IS_IN_THE_HALL else []),
    "romme_site.takeover_guard.TakeoverGuard",
    "romme_site.request_log.RequestLogMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "romme_site.text_validation.TextValidationMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    # Most requests are polls of open pages, and most of them are answered as unchanged.
    "tournaments.web.polling.PollingMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Outside of the middleware that sets the cookie of a form.
    "tournaments.web.compression.CompressionMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    # Last, so that nothing but the view is inside its transaction.
    "tournaments.web.idempotency.IdempotencyMiddleware",
]

ROOT_URLCONF = "romme_site.urls"
WSGI_APPLICATION = "romme_site.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "romme_site.templates.Templates",
        "NAME": "django",  # partials of templates are found by this name
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": [
                "template_partials.templatetags.partials",
                "tournaments.templatetags.form_keys",
                "tournaments.templatetags.rules_html",
                "tournaments.templatetags.table_html",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
                "tournaments.accounts.context_processors.staff_frame",
            ],
        },
    },
]

DATABASES = {"default": env.database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Accounts
AUTH_USER_MODEL = "tournaments.User"
# The log-in name is unique regardless of case by a constraint of the model; only the operator knows
# whether other names have https (env.hsts).
SILENCED_SYSTEM_CHECKS = ["auth.W004", "security.W005", "security.W021"]
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
PASSWORD_HASHERS = [
    "tournaments.accounts.passwords.OneCoreArgon2Hasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "tournaments.accounts.passwords.AccountSimilarityValidator"},
    {
        "NAME": "tournaments.accounts.passwords.LengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "tournaments.accounts.passwords.CommonPasswordValidator"},
    {"NAME": "tournaments.accounts.passwords.NumericPasswordValidator"},
]
LOGIN_URL = "account:login"
LOGIN_REDIRECT_URL = "setup:tournaments"
LOGOUT_REDIRECT_URL = "public:start"
# Five wrong passwords for one account from one device pause this pair for five minutes, so that no
# other device can lock the Spielleitung out.
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 5 / 60
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_TEMPLATE = "tournaments/accounts/locked.html"
AXES_RESET_ON_SUCCESS = True
# Thirty from one address, for any accounts, pause the address.
AXES_HANDLER = "tournaments.accounts.throttling.AddressThrottling"
# Attempts during the pause are not counted: they neither extend it nor fill the table.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_CLIENT_IP_CALLABLE = "tournaments.machine.addresses.throttled_address"
AXES_USERNAME_CALLABLE = "tournaments.accounts.forms.attempted_username"
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False

# Language and time: German is the product's language and is in the code; locale/ has the others.
# Each has its own name, so that it is found on a page in another language.
LANGUAGE_CODE = "de"
LANGUAGES = [("de", "Deutsch"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "romme_site.formats"
TIME_ZONE = "Europe/Berlin"
USE_TZ = True
USE_THOUSAND_SEPARATOR = False  # keys in links and hidden fields must stay plain

# Files
STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
_ON_DISK = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": DATA_DIR / "files", "file_permissions_mode": 0o600},
    },
    "print": {"BACKEND": "romme_site.files.DiskStorage", "OPTIONS": {"folder": "print"}},
}
_IN_DATABASE = {
    "default": {"BACKEND": "romme_site.files.DatabaseStorage", "OPTIONS": {"folder": "files"}},
    "print": {"BACKEND": "romme_site.files.DatabaseStorage", "OPTIONS": {"folder": "print"}},
}
STORAGES = {
    **(_ON_DISK if DATABASES["default"]["ENGINE"].endswith("sqlite3") else _IN_DATABASE),
    "staticfiles": {"BACKEND": "romme_site.static_files.HashedFiles"},
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = False
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024

# Security
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "frame-src": [SELF],  # previews of the walls
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_AGE = 14 * 24 * 3600
CSRF_FAILURE_VIEW = "romme_site.errors.csrf_failure"
# No HSTS on a laptop, because a hall may have no https the next time.
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env.IS_SERVER or env.TLS is not None
if env.IS_SERVER:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    # Only if configured: other names below this one may have no https, and it cannot be revoked.
    SECURE_HSTS_INCLUDE_SUBDOMAINS, SECURE_HSTS_PRELOAD = env.hsts()
    CSRF_TRUSTED_ORIGINS = [PUBLIC_URL] if PUBLIC_URL else []

# E-mail
locals().update(env.email())
DEFAULT_FROM_EMAIL = env.EMAIL_FROM
EMAIL_TIMEOUT = 10  # seconds; a mail server that hangs must not block the page

# Refusals and errors are logged to the console: without DEBUG Django logs nothing there.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "romme_site.logs.ValueFreeFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s [%(request_id)s]: %(message)s",
        },
        "json": {"()": "romme_site.logs.JsonFormatter"},
    },
    "filters": {"hide_secrets": {"()": "romme_site.logs.SecretFilter"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": env.LOG_FORMAT,
            "filters": ["hide_secrets"],
        }
    },
    "root": {"handlers": ["console"], "level": env.LOG_LEVEL},
    "loggers": {
        "django": {"handlers": ["console"], "level": env.LOG_LEVEL, "propagate": False},
        # One line for each request, only if ACCESS_LOG is set.
        "tournaments.access": {"level": "INFO" if env.ACCESS_LOG else "CRITICAL"},
        # A refusal (409, 422) is a normal answer; only failures are logged.
        "django.request": {"level": "ERROR"},
        # It would log the log-in name and the network address of failed log-ins.
        "axes": {"level": "CRITICAL"},
        # Scanners would fill the log of a server with tracebacks.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
    },
}
