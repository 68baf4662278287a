"""Evidence that may be looked at after every roll or round: paths over time, turned dice, and the hold."""
