"""What the commands of the GPU kit are made of. Python 3.8, standard library."""
