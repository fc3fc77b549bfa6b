"""What people decide about reports: the queue, decisions, agreement, labels, the digest."""
