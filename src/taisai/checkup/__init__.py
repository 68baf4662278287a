"""What `taisai doctor` and the administrator's page say of an installation: one look for both."""
