"""What people read and look at: tables, pictures, pages, rounds and differences in words."""
