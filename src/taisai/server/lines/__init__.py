"""WebSockets under the application: frames, and the line that carries them."""
