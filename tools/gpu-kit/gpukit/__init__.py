"""The commands of the GPU kit. Python 3.8, standard library."""
