#!/bin/sh
# Stands in for an assembler that does not come back.
exec sleep 30
