"""The compiled core: rules of wasteland board games as kernels over arrays."""
