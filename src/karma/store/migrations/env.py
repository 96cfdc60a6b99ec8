"""Alembic's entry: runs the migrations on the connection that `karma.store.migration` gives."""

from alembic import context

if hasattr(context, "config"):  # Alembic runs this file, and others only read it
    context.configure(connection=context.config.attributes["connection"])
    with context.begin_transaction():
        context.run_migrations()
