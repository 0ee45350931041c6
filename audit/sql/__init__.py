"""SQL over the house's file: a query runs in a fenced process of its own."""
