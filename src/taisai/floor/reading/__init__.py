"""What interfaces see of the desks: named questions, answered with values of the caller's own."""
