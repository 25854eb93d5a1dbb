"""chartgen: generates, proves and operates the GPU Operator chart from one typed description."""

__version__ = "0.1.0"
