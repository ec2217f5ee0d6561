"""What a probe is, and how its readings become constants."""


class Constant:
    """A constant of the analytical model. `model` is its present value: a number, or a
    function of the machine, or None where the model has no such constant. `measured`
    computes it from {reading: median}. `field` names the member of a machine file that
    it replaces, and `step` is the granularity there: a value within 4 % of a multiple is
    rounded to it."""

    def __init__(self, name, unit, measured, model=None, field=None, step=0):
        self.name, self.unit, self.measured, self.model = name, unit, measured, model
        self.field, self.step = field, step

    def derive(self, readings, machine):
        """Return the constant as JSON, or None if readings are missing."""
        value = _value(self.measured, readings)
        if value is None:
            return None
        model = _value(self.model, machine) if callable(self.model) else self.model
        found = {"constant": self.name, "unit": self.unit, "measured": value, "model": model,
                 "ratio": value / model if model else None}
        if self.field:
            found["field"], found["field_value"] = self.field, self.rounded(value)
        return found

    def rounded(self, value):
        near = self.step * round(value / self.step) if self.step else 0
        return near if near and abs(value / near - 1) < 0.04 else value


def _value(function, argument):
    """Return what `function` computes, or None if something that it needs is missing."""
    try:
        return function(argument)
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return None


class Probe:
    """One kind of measurement. A probe is registered once, in `probes/__init__.py`."""

    name = ""  # In the results.
    measures = ""  # One line for the table and the page.
    oldest = 70  # The oldest architecture that has the instructions.

    def kernels(self, number):
        """Return {key: ptx.Kernel} for an architecture."""
        return {}

    def run(self, lab):
        """Measure, and give each reading to `lab.record`."""
        raise NotImplementedError

    def constants(self):
        """Return the list of constants that the readings determine."""
        return []
