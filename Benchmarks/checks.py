"""Figures beside their targets."""


class Checks:
    """Prints each figure with its target, and remembers those that were missed."""

    def __init__(self):
        self.missed = []

    def check(self, name, figure, target, met):
        """figure and target are texts that tell both sides of the comparison."""
        print(f"  {'PASS' if met else 'MISS'}  {name}: {figure} (target: {target})", flush=True)
        if not met:
            self.missed.append(name)

    def note(self, text):
        """A figure without a target."""
        print(f"        {text}", flush=True)


def percentile(values, percent):
    """The smallest value that is not exceeded by so many percent of them."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]
