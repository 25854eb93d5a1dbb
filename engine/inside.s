// With a file of assembly in the package, functions without a body are taken to be elsewhere: see inside3.go.
