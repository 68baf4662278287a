"""`python -m taisai` is the `taisai` command."""

from taisai.cli.app import main

main()
