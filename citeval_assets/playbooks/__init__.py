"""What is judged: one module per playbook, the case schema and the report."""
