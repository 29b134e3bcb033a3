"""`python -m unshuffle`: the same as the command `unshuffle`."""

import sys

from unshuffle.cli.main import main

sys.exit(main())
