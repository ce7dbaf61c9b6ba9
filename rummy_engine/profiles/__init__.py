"""Profiles: every dial described; files, `extends`, overrides; combinations that cannot be played."""
