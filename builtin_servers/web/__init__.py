"""What the fetch server needs: addresses that may be reached, HTTP, robots.txt, Markdown."""
