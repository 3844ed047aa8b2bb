"""What is secret, and how it is kept out of what people and files are given."""
