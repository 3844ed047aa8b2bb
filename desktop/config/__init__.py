"""The config file of servers and settings: reading, typed models, writing."""
