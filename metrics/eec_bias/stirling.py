"""What Stirling's formula leaves over, for the gamma function and its first derivatives.

The beta log-likelihood with precision φ is made of differences such as ψ(φ) − ψ((1 − μ)φ), whose
leading parts cancel as φ grows. Writing each function as its leading part plus a small remainder lets
that cancellation happen on paper instead of in floating point.
"""

import numpy as np
from scipy.special import digamma, gammaln, zeta

from .options import Floats

# Above this argument six terms of each series are exact to a few units in the last place.
_SERIES_FROM = 20.0
_HALF_LOG_2PI = 0.5 * float(np.log(2.0 * np.pi))


def remainders(x: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the remainders of ln Γ, ψ and ψ′ after their leading terms.

    Parameters
    ----------
    x : array of any shape
        Positive arguments.

    Returns
    -------
    log_gamma : same shape
        ``ln Γ(x) − [(x − ½) ln x − x + ½ ln 2π]``.
    digamma_ : same shape
        ``ψ(x) − ln x``.
    trigamma : same shape
        ``ψ′(x) − 1/x``.

    Notes
    -----
    Abramowitz & Stegun (1964), 6.1.41, 6.3.18 and 6.4.12.
    """
    large = np.maximum(x, _SERIES_FROM)
    i = 1.0 / large
    q = i * i
    lg = i * (1 / 12 - q * (1 / 360 - q * (1 / 1260 - q * (1 / 1680 - q * (1 / 1188 - q * (691 / 360360))))))
    dg = -0.5 * i - q * (1 / 12 - q * (1 / 120 - q * (1 / 252 - q * (1 / 240 - q * (1 / 132)))))
    tg = q * (0.5 + i * (1 / 6 - q * (1 / 30 - q * (1 / 42 - q * (1 / 30 - q * (5 / 66))))))
    small = x < _SERIES_FROM
    if small.any():
        s = x[small]
        log_s = np.log(s)
        lg[small] = gammaln(s) - ((s - 0.5) * log_s - s + _HALF_LOG_2PI)
        dg[small] = digamma(s) - log_s
        tg[small] = zeta(2.0, s) - 1.0 / s
    return lg, dg, tg
