raise ImportError("there is none")
