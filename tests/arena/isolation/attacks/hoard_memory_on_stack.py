"""Hold more memory than is allowed, on the first thread's own stack, its limit raised."""

import resource

from hostile import reached, targets

resource.setrlimit(resource.RLIMIT_STACK, (targets["too_much_memory"],) * 2)
reached(str(resource.getrlimit(resource.RLIMIT_STACK)))
