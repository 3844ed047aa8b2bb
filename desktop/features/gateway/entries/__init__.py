"""Our own entry in the files of other clients: shown before it is written, and taken back.

Those files belong to others: all that is not our entry stays byte for byte, a file that is not
understood is not touched, and each is kept as it was before it is written.
"""
