"""The import of GXF applications; see main.py and importer.py."""
