"""Evidence of one photo for doors, bases, rings and looks, place by place."""
