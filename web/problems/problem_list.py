"""How the problems of the table reach their routes."""

from __future__ import annotations

from assistant.app.problems import ProblemList
from web.serving.parts import FeatureNeeds

problem_list = FeatureNeeds[ProblemList]("problems")
