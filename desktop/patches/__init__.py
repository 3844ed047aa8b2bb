"""What the app changes in other people's libraries: the one place that touches a private name.

`sdk` changes what the SDK and two other libraries do, `imports` how libraries are imported, `qt`
how PySide6 is. `table` says of each patch whose it is, for which versions, what it gains, and when
that was measured. A patch touches as little as it can, and leaves a library that looks different as
it is: then something is slower or stricter, and nothing breaks. Must import no library by being
imported, and hold nothing but patches.
"""
