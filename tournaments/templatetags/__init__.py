"""Tags and filters of the templates: formats of values, and fields of forms."""
