# An image with the wheel: Pruner's tools and Python packages, without a compiler,
# a linker or LLVM outside of it.
#     docker build -t pruner .
#     docker run --rm -v "$PWD:/work" pruner pruner compile net.mlir -o net.so
FROM debian:12 AS build
COPY . /src
RUN /src/tools/setup/build-wheel.sh 2_34 /wheels
RUN python3 -m venv /opt/pruner && /opt/pruner/bin/pip install --no-cache-dir /wheels/*.whl

# The same Python as above, because the environment refers to it.
FROM debian:12
RUN apt-get update && apt-get install -y --no-install-recommends python3 && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/pruner /opt/pruner
ENV PATH=/opt/pruner/bin:$PATH
WORKDIR /work
