"""The version that file names carry; framework/version.h says the same in C."""

VERSION = "0.1.0"

# What programs and plug-ins are linked with: a change of the middle number is a
# change of the binary interface.
SOVERSION = ".".join(VERSION.split(".")[:2])
