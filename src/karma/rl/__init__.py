"""Karma for programs that learn: environments in the shapes that learning libraries know.

`karma.rl.pettingzoo`, `karma.rl.gymnasium` and `karma.rl.vector` need ``karma[rl]``,
`karma.rl.openspiel` needs ``karma[openspiel]``. Where Gymnasium is installed, importing this
package registers its environments: ``karma/Mini-v1`` and the other editions.
"""

from importlib.util import find_spec

if find_spec("gymnasium"):
    from karma.rl.gymnasium import register

    register()
