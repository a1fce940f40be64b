"""A fit states no negative variance, even of what its residuals do not tell."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.robust_fit import fit_robustly


@pytest.mark.parametrize("seed", range(40))
def test_what_the_residuals_do_not_tell_has_no_negative_variance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    slopes = rng.normal(size=(40, 12)) * 10.0 ** rng.uniform(-2, 8, 12)
    slopes[:, 7] = 2 * slopes[:, 3] + 1e-7 * rng.normal(size=40) * abs(slopes[:, 3]).max()
    slopes[:, 9] = slopes[:, 1] - slopes[:, 2] + 1e-7 * rng.normal(size=40)
    goal = slopes @ rng.normal(size=12)
    fit = fit_robustly(lambda unknowns: (slopes @ unknowns - goal, slopes), np.zeros(12), 1.0)
    assert (np.diag(fit.covariance(0.3)) >= 0).all()


def test_the_covariance_of_independent_unknowns_is_that_of_their_mean() -> None:
    slopes = np.vstack([np.eye(2)] * 9)
    fit = fit_robustly(lambda unknowns: (slopes @ unknowns, slopes), np.zeros(2), 1.0)
    assert np.allclose(fit.covariance(0.6), 0.04 * np.eye(2))
