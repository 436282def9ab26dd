#!/bin/sh
# SPDX-License-Identifier: MIT
# shell.sh - shellcheck over every script.
cd "$top_srcdir" || exit 99
command -v shellcheck >/dev/null || exit 77
scripts=$(grep -lE '^#!/bin/(ba)?sh|^# shellcheck shell=' \
    .ci/* contrib/* contrib/*/* docs/* tests/*/* 2>/dev/null | sort -u)
# shellcheck disable=SC2086
exec shellcheck $scripts
