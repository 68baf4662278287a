"""What all tests share: how Hypothesis looks for counterexamples."""

from hypothesis import settings

# A busy machine is no failure, so there is no deadline; what fails prints how to repeat it.
settings.register_profile("taisai", deadline=None, print_blob=True)
settings.load_profile("taisai")
