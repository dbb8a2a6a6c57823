"""The experiments that are held to figures from elsewhere, in the order of the report."""
import bar
import beams
import cloth
import free
import planes
import rope
import slope

EXPERIMENTS = [e for module in (planes, beams, bar, slope, free, rope, cloth) for e in module.EXPERIMENTS]
