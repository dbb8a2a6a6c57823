"""The experiments that are held to figures from elsewhere, in the order of the report."""
import bar
import free
import rope
import slope

EXPERIMENTS = [e for module in (bar, slope, free, rope) for e in module.EXPERIMENTS]
