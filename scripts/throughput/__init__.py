"""The parts of run_throughput.py."""


class Failure(Exception):
    """What the person who measures must know and mend, with nothing else to say."""
