"""What one photo says of doors, bases, rings and looks, place by place."""
