"""Connections over HTTP and WebSockets."""
