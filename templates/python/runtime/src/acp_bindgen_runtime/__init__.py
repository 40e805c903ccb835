"""What generated Python stands on, whatever the protocol: codecs and connections."""
