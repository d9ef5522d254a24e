"""The rules, uncompiled, are at hand for tests of single rules as for golden ones."""

from tests.golden.conftest import rules as rules
