"""What Stirling's formula leaves over, for the gamma function and its first derivatives.

The beta log-likelihood with precision φ is made of differences such as ψ(φ) − ψ((1 − μ)φ), whose
leading parts cancel as φ grows. Writing each function as its leading part plus a small remainder lets
that cancellation happen on paper instead of in floating point.
"""

import numpy as np
from scipy.special import digamma, gammaln, zeta

from eec_bias.options import Floats

# Above this argument six terms of each series are exact to a few units in the last place.
_SERIES_FROM = 20.0
# Bernoulli numbers over the factors of each series, by alternating powers of 1/x².
_TERMS = np.array(
    [
        [1 / 12, 1 / 12, 1 / 6],
        [1 / 360, 1 / 120, 1 / 30],
        [1 / 1260, 1 / 252, 1 / 42],
        [1 / 1680, 1 / 240, 1 / 30],
        [1 / 1188, 1 / 132, 5 / 66],
    ]
)
_LAST = np.array([360360.0, 32760.0, 2730.0])
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
    terms = _TERMS.reshape(5, 3, *[1] * x.ndim)
    series = terms[4] - q * (691 / _LAST.reshape(3, *[1] * x.ndim))
    for k in (3, 2, 1, 0):
        series = terms[k] - q * series
    lg = i * series[0]
    dg = -0.5 * i - q * series[1]
    tg = q * (0.5 + i * series[2])
    small = x < _SERIES_FROM
    if small.any():
        s = x[small]
        log_s = np.log(s)
        lg[small] = gammaln(s) - ((s - 0.5) * log_s - s + _HALF_LOG_2PI)
        dg[small] = digamma(s) - log_s
        tg[small] = zeta(2.0, s) - 1.0 / s
    return lg, dg, tg
