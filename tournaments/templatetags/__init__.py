"""Tags and filters of the templates: how things are written, and how fields are shown."""
