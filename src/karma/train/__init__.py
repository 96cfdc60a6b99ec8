"""Training: a value network learns from games against itself and a league of others."""
